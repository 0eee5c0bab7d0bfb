import { fc } from '../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { Email, Instant, Name, SignerName, SignOrder, text } from '../../../../api/schemas/text.ts'

/** The schema's result for a value, or its error. */
function read(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : parsed.error.issues.map(({ message }) => message)
}

describe('text', () => {
  test.each([
    ['one character', 'x'],
    ['as many characters as allowed', 'abcde'],
    ['characters beyond the first plane, counted once', '\u{1F58B}'.repeat(5)],
    ['white space, which is kept', ' \t\n '],
    ['direction marks, which are kept', 'a\u202eb'],
  ])('takes %s', (_, value) => {
    expect(read(text(5), value)).toBe(value)
  })

  test.each([
    ['nothing', '', ['must not be empty']],
    ['one character too many', 'abcdef', ['must have at most 5 characters']],
    ['NUL', 'a\0', ['must be well-formed Unicode without NUL']],
    ['the first half of a character', 'a\ud83d', ['must be well-formed Unicode without NUL']],
    ['the second half of a character', '\udd8ba', ['must be well-formed Unicode without NUL']],
  ])('refuses %s', (_, value, messages) => {
    expect(read(text(5), value)).toEqual(messages)
  })

  test.each([7, true, null, undefined, ['a'], { length: 1 }])('rejects %j, which is not text', (value) => {
    expect(text(5).safeParse(value).success).toBe(false)
  })

  test('may be empty where the field allows it', () => {
    expect(read(text(5, 0), '')).toBe('')
  })

  test('is never changed when accepted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const parsed = text(20, 0).safeParse(value)
        expect(parsed.success).toBe(Array.from(value).length <= 20 && !value.includes('\0'))
        if (parsed.success) expect(parsed.data).toBe(value)
      }),
    )
  })
})

describe('an e-mail address', () => {
  const domain = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(57)}.test`

  test.each([
    'ada@example.test',
    'a@b.co',
    'ada.b-c_d+tag@mail.example.test',
    "o'neil/x=y@example.test",
    'müller@bücher.example',
    'あだ@例え.テスト',
    'ada@example.xn--p1ai',
    `${'l'.repeat(64)}@example.test`,
    `${'l'.repeat(254 - domain.length - 1)}@${domain}`,
  ])('can be %s', (address) => {
    expect(read(Email, address)).toBe(address)
  })

  test.each([
    ['with a display name', 'Ada <ada@example.test>'],
    ['in angle brackets', '<ada@example.test>'],
    ['two', 'ada@example.test,ben@example.test'],
    ['two, by semicolon', 'ada@example.test;ben@example.test'],
    ['with a line break', 'ada@example.test\r\nBcc: ben@example.test'],
    ['with a line break at its end', 'ada@example.test\n'],
    ['with white space around', ' ada@example.test '],
    ['with a space beyond ASCII', 'ada\u00a0b@example.test'],
    ['with NUL', 'a\0da@example.test'],
    ['with a mark that turns its direction', 'ada\u202e@example.test'],
    ['with a character that cannot be seen', 'ada\u200b@example.test'],
    ['with half a character', 'ada\ud800@example.test'],
    ['with half a character in its domain', 'ada@example\ud800.test'],
    ['with a quoted local part', '"ada b"@example.test'],
    ['with a comment', 'ada(home)@example.test'],
    ['with a backslash', 'ada\\b@example.test'],
    ['with two signs', 'ada@b@example.test'],
    ['without a local part', '@example.test'],
    ['without a domain', 'ada@'],
    ['with a domain of one label', 'ada@localhost'],
    ['with an address for a domain', 'ada@[127.0.0.1]'],
    ['with an empty label', 'ada@example..test'],
    ['with a label that begins with a dash', 'ada@-example.test'],
    ['with a label of 64 characters', `ada@${'d'.repeat(64)}.test`],
    ['with a last label of one character', 'ada@example.t'],
    ['with a last label of 64 characters', `ada@example.${'t'.repeat(64)}`],
    ['with a local part of 65 characters', `${'l'.repeat(65)}@example.test`],
    ['of 255 characters', `${'l'.repeat(255 - domain.length - 1)}@${domain}`],
    ['empty', ''],
    ['no text', 7],
  ])('is refused when it is %s', (_, address) => {
    expect(Email.safeParse(address).success).toBe(false)
  })

  test('is parsed in bounded time, whatever it contains', () => {
    const startedAt = performance.now()
    for (const hostile of [`a@${'a.'.repeat(100_000)}`, `a@${'a-'.repeat(100_000)}b`, 'a'.repeat(200_000), '@'.repeat(200_000)])
      expect(Email.safeParse(hostile).success).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})

describe('a signer', () => {
  test.each([
    ['has a name of up to 255 characters', SignerName, 'x'.repeat(255), true],
    ['has no longer name', SignerName, 'x'.repeat(256), false],
    ['has a name', SignerName, '', false],
    ['has an order from 1', SignOrder, 1, true],
    ['has an order up to 999', SignOrder, 999, true],
    ['has no order of 0', SignOrder, 0, false],
    ['has no order of 1000', SignOrder, 1000, false],
    ['has a whole order', SignOrder, 1.5, false],
    ['has an order that is a number', SignOrder, '1', false],
    ['has an order that can be counted to', SignOrder, Number.NaN, false],
  ])('%s', (_, schema: z.ZodType, value, taken) => {
    expect(schema.safeParse(value).success).toBe(taken)
  })
})

describe('an instant', () => {
  test.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.5Z', '2026-11-21T10:00:00.500Z'],
    ['2026-11-21T12:30:00+02:30', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T00:00:00-10:00', '2026-11-21T10:00:00.000Z'],
    ['2028-02-29T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
  ])('%s is %s', (value, instant) => {
    expect(read(Instant, value)).toEqual(new Date(instant))
  })

  test.each([
    ['without an offset', '2026-11-21T10:00:00'],
    ['without a time', '2026-11-21'],
    ['on a day that there is not', '2026-02-30T10:00:00Z'],
    ['on a leap day of a common year', '2027-02-29T10:00:00Z'],
    ['in hour 24', '2026-11-21T24:00:00Z'],
    ['with an offset that there is not', '2026-11-21T10:00:00+99:99'],
    ['in words', 'tomorrow'],
    ['as a number', 1_795_255_200_000],
    ['with a line break', '2026-11-21T10:00:00Z\n'],
  ])('is refused %s', (_, value) => {
    expect(Instant.safeParse(value).success).toBe(false)
  })
})

describe('a name', () => {
  test.each([' Sales ', 'x', '売上', 'a\u202eb'])('may be %j', (name) => {
    expect(read(Name, name)).toBe(name)
  })

  test.each([
    ['', ['must not be empty']],
    [' \t\n', ['must not be blank']],
    ['\u202e\u200f\ufeff', ['must not be blank']],
    ['\u200b\u2060\u00ad\u3164\u2800', ['must not be blank']],
    ['x'.repeat(256), ['must have at most 255 characters']],
    [undefined, [expect.any(String)]],
  ])('may not be %j', (name, messages) => {
    expect(read(Name, name)).toEqual(messages)
  })
})
