import { toVisibleLine, toVisibleText } from '#core/platform/text/visible-text.ts'
import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

describe('a visible line', () => {
  test.each([
    ['plain', 'Ada Öhman', 'Ada Öhman'],
    ['decomposed', 'O\u0308', 'Ö'],
    ['several lines', 'a\r\nb\nc\rd\u2028e\u2029f\u0085g', 'a b c d e f g'],
    ['white space', '  a \t\t b\u00a0 \u3000c ', 'a b c'],
    ['control characters', 'a\0\b\x1b[31mb\x7f\u009f', 'a[31mb'],
    ['direction marks', '\u202Etxt.exe\u202C\u2066a\u2069\u200F', 'txt.exea'],
    ['joined letters', 'نامه\u200cای 👩\u200d👧', 'نامه\u200cای 👩\u200d👧'],
    ['half a character', 'a\uD800', 'a\uFFFD'],
  ])('of %s', (_, text, line) => {
    expect(toVisibleLine(text)).toBe(line)
  })

  test('contains nothing that breaks or reverses a line, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = toVisibleLine(text)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|^\s|\s$/u)
        expect(toVisibleLine(line)).toBe(line)
      }),
    )
  })
})

describe('visible text', () => {
  test('keeps its line feeds and no other control character', () => {
    expect(toVisibleText('\n a\r\n\r\nb\tc\0\u202e \n')).toBe('a\n\nb c')
  })
})
