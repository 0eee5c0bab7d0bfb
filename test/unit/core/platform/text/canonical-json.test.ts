import { canonicalJson, type JsonValue } from '#core/platform/text/canonical-json.ts'
import { fc, runs } from '../../../../support/builders/properties.ts'
import { describe, expect, test } from 'vitest'

/** The double with these 64 bits. */
function double(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE()
}

describe('the examples of RFC 8785', () => {
  test('section 3.2.2: numbers, texts and literals', () => {
    const value: JsonValue = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  test('section 3.2.3: keys by their UTF-16 code units, so that an emoji precedes a letter of a higher unit', () => {
    const value: JsonValue = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    expect([...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555555', '333333333.3333333'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('appendix B: the double %s is %s', (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text)
  })

  test.each([
    ['appendix B: not a number', double('7fffffffffffffff')],
    ['appendix B: infinity', double('7ff0000000000000')],
    ['section 3.2.2.2: half a character', 'a\ud800'],
    ['section 3.2.2.2: half a character, the other half', '\udeada'],
    ['half a character in a key', { '\ud800': 1 }],
    ['either of them, deep within', { a: [{ b: Number.NaN }] }],
  ] satisfies [string, JsonValue][])('%s has no form', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })
})

describe('canonical JSON', () => {
  test.each<[string, JsonValue, string]>([
    ['nothing', {}, '{}'],
    ['an empty list', [], '[]'],
    ['an empty text', '', '""'],
    ['keys that are numbers', { 10: 'a', 9: 'b', a: 'c' }, '{"10":"a","9":"b","a":"c"}'],
    ['lists, in their own order', [3, 1, [2, 'b', 'a']], '[3,1,[2,"b","a"]]'],
    ['objects within', { b: { d: 1, c: 2 }, a: [{ f: 1, e: 2 }] }, '{"a":[{"e":2,"f":1}],"b":{"c":2,"d":1}}'],
    ['a key that objects use themselves', JSON.parse('{"__proto__":1,"A":2}'), '{"A":2,"__proto__":1}'],
    ['letters in another normal form, kept apart', { '\u00e9': 1, 'e\u0301': 2 }, '{"e\u0301":2,"\u00e9":1}'],
  ])('of %s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  test('means the same as plain JSON, and is idempotent', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (generated) => {
        const plain: JsonValue = JSON.parse(JSON.stringify(generated))
        const text = canonicalJson(plain)
        expect(JSON.parse(text)).toEqual(plain)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  test('does not depend on the order in which keys were set', () => {
    const members = fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary' }), fc.jsonValue()), {
      selector: ([key]) => key,
      maxLength: 12,
    })
    const two = members.chain((pairs) => fc.tuple(fc.constant(pairs), fc.shuffledSubarray(pairs, { minLength: pairs.length })))
    fc.assert(
      fc.property(two, ([pairs, shuffled]) => {
        const read = (all: typeof pairs): JsonValue => JSON.parse(JSON.stringify(Object.fromEntries(all)))
        expect(canonicalJson(read(shuffled))).toBe(canonicalJson(read(pairs)))
      }),
      { numRuns: runs(25) },
    )
  })
})
