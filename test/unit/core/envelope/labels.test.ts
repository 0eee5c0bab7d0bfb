import { checkLabels } from '#core/envelope/labels.ts'
import { fc } from '../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import { answerOf, refusalOf } from '../../../support/clients/answer-of.ts'

const many = (count: number, value = '') => Array.from({ length: count }, (_, index) => [`k${index}`, value] as const)

describe('a label key', () => {
  test.each(['a', '7', 'cost_center', 'team/emea', 'sealwright.io/cost-center', 'A.b_c/d-e.9', 'x'.repeat(63)])(
    'can be %s',
    (key) => {
      expect(checkLabels([[key, 'v']])).toEqual({ [key]: 'v' })
    },
  )

  test.each([
    ['empty', ''],
    ['of 64 characters', 'x'.repeat(64)],
    ['with a space', 'a b'],
    ['with a line break at its end', 'a\n'],
    ['beginning with a dash', '-a'],
    ['ending with a dot', 'a.'],
    ['ending with an underscore', 'a_'],
    ['of a slash alone', '/'],
    ['with an equals sign, which filters use', 'a=b'],
    ['with a colon, which filters use', 'a:b'],
    ['with a comma, which filters use', 'a,b'],
    ['with a letter beyond ASCII', 'größe'],
    ['with a quote', 'a"b'],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['prototype', 'prototype'],
  ])('is refused when it is %s', (_, key) => {
    expect(answerOf(() => checkLabels([[key, 'v']]))).toBe('LABELS_INVALID')
  })

  test('may only resemble a reserved word', () => {
    expect(checkLabels([['Constructor', 'v']])).toEqual({ Constructor: 'v' })
  })
})

describe('a label value', () => {
  test.each([
    ['nothing', ''],
    ['256 characters', 'x'.repeat(256)],
    ['256 characters beyond the first plane', '\u{1F58B}'.repeat(256)],
    ['what looks like markup', '<b>"x"</b> & {{y}}'],
  ])('can be %s', (_, value) => {
    expect(checkLabels([['a', value]])).toEqual({ a: value })
  })

  test('is kept in NFC and counted as it is kept', () => {
    expect(checkLabels([['a', 'e\u0301'.repeat(256)]])).toEqual({ a: '\u00e9'.repeat(256) })
  })

  test.each([
    ['of 257 characters', 'x'.repeat(257)],
    ['that grows beyond 256 characters in NFC', '\u0958'.repeat(129)],
    ['with a tab', 'a\tb'],
    ['with a line break', 'a\nb'],
    ['with NUL', 'a\0b'],
    ['with DEL', 'a\x7fb'],
    ['with a C1 control', 'a\u0085b'],
    ['with half a character', 'a\ud800b'],
  ])('is refused %s', (_, value) => {
    expect(answerOf(() => checkLabels([['a', value]]))).toBe('LABELS_INVALID')
  })

  test('that is refused is not repeated, only its key', () => {
    expect(refusalOf(() => checkLabels([['customer', 'secret\0']])).message).toBe(
      'The value of label customer contains a character that is not allowed.',
    )
  })
})

describe('labels together', () => {
  test('are fifty at most', () => {
    expect(Object.keys(checkLabels(many(50)))).toHaveLength(50)
    expect(answerOf(() => checkLabels(many(51)))).toBe('LABELS_INVALID')
  })

  // requirements: decisions/smaller/labels, decisions/envelopes/label limits
  test('take 16 KiB at most, in bytes of keys and values', () => {
    const full = Array.from({ length: 32 }, (_, index) => [index.toString(32).padStart(2, '0'), 'ä'.repeat(255)] as const)
    expect(Object.keys(checkLabels(full))).toHaveLength(32)
    expect(answerOf(() => checkLabels(full.with(0, ['00', `${'ä'.repeat(255)}x`])))).toBe('LABELS_INVALID')
    expect(answerOf(() => checkLabels(full.with(0, ['00x', 'ä'.repeat(255)])))).toBe('LABELS_INVALID')
  })

  // requirements: decisions/smaller/labels
  test('come out with every key as it was and every value in NFC', () => {
    const key = fc
      .stringMatching(/^[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/)
      .filter((text) => text !== 'constructor' && text !== 'prototype')
    const value = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/\p{Cc}/u.test(text))
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(key, value), { maxLength: 30, selector: ([name]) => name }), (pairs) => {
        expect(checkLabels(pairs)).toEqual(Object.fromEntries(pairs.map(([name, text]) => [name, text.normalize('NFC')])))
      }),
    )
  })
})
