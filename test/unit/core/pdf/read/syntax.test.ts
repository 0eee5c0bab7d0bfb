import { fc } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { cursorOver } from '#core/pdf/read/indirect-object.ts'
import { readValue } from '#core/pdf/read/parser.ts'
import { formatName, formatNumber, formatText, rawDict, rawItems } from '#core/pdf/read/syntax.ts'
import { textOf } from '#core/pdf/read/text-string.ts'
import { NULL, type PdfDict, type PdfValue } from '#core/pdf/read/value.ts'

function parse(text: string): PdfValue {
  return readValue(cursorOver(Buffer.from(text, 'latin1'), 0, newBudget(PDF_LIMITS)))
}

function parseDict(text: string): PdfDict {
  const value = parse(text)
  if (value.kind !== 'dict') throw new Error('not a dictionary')
  return value
}

describe('numbers', () => {
  test.each([
    [1, '1'],
    [-0, '0'],
    [0.1 + 0.2, '0.3'],
    [1e-7, '0'],
    [-1e-7, '0'],
    [100, '100'],
    [1234567.125, '1234567.125'],
    [-12.5, '-12.5'],
  ])('%d is written as %s', (value, expected) => {
    expect(formatNumber(value)).toBe(expected)
  })

  test.each([Number.NaN, Infinity])('%d is refused', (value) => {
    expect(() => formatNumber(value)).toThrow(RangeError)
  })
})

test('any name is read as it was written', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const name = Buffer.from(bytes).toString('latin1')
      expect(parse(formatName(name))).toMatchObject({ kind: 'name', name })
    }),
  )
})

test('any text is read as it was written', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
      const value = parse(formatText(text))
      expect(value.kind === 'string' && textOf(value)).toBe(text)
    }),
  )
})

describe('a rewritten dictionary', () => {
  const dict = parseDict('<</A  (x\\)y) /B#20C [1  2] /D<</E   3>> >>')

  test('keeps untouched values byte for byte, in their order', () => {
    expect(rawDict(dict, [], []).toString('latin1')).toBe('<</A (x\\)y)\n/B#20C [1  2]\n/D <</E   3>>\n>>')
  })

  test('removes and sets entries', () => {
    expect(rawDict(dict, ['A'], [['D', '4']]).toString('latin1')).toBe('<</B#20C [1  2]\n/D 4\n>>')
  })

  test('starts empty when there is none', () => {
    expect(rawDict(undefined, [], [['A', '1']]).toString('latin1')).toBe('<</A 1\n>>')
  })
})

test('the items of an array stay byte for byte; null has none', () => {
  expect(rawItems(parse('[ 1 0 R(a)  <</B  1>>]')).toString('latin1')).toBe('1 0 R\n(a)\n<</B  1>>\n')
  expect(rawItems(NULL)).toHaveLength(0)
})
