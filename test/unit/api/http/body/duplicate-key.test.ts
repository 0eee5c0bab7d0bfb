import { fc } from '../../../../support/builders/properties.ts'
import { expect, test } from 'vitest'
import { findDuplicateKey } from '../../../../../api/http/body/duplicate-key.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"b":{"c":1,"c":2}}', 'c'],
  ['[{"a":1},{"b":1,"b":1}]', 'b'],
  [String.raw`{"a":1,"\u0061":2}`, 'a'],
  [String.raw`{"\"":1,"\u0022":2}`, '"'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a" \n:1,\t"a":2}', 'a'],
])('%s names one twice', (json, name) => {
  expect(findDuplicateKey(json)).toBe(name)
})

test.each([
  '{"a":1,"b":2}',
  '[{"a":1},{"a":1}]',
  '{"a":{"a":{"a":1}}}',
  '["a","a"]',
  '{"a":"a","b":"a"}',
  String.raw`{"a":"\"a\":1,\"a\":2","b":"\\"}`,
  '"a"',
  '1',
  '{}',
])('%s names none twice', (json) => {
  expect(findDuplicateKey(json)).toBe(undefined)
})

test('any object has no duplicate key, and one with a repeated name has', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), (object, name) => {
      const { [name]: _, ...rest } = object
      const json = JSON.stringify({ ...rest, [`${name}x`]: object })
      expect(findDuplicateKey(json)).toBe(undefined)
      const quoted = JSON.stringify(name)
      expect(findDuplicateKey(`[${json},{${quoted}:1,"x":${json},${quoted}:2}]`)).toBe(name === 'x' ? 'x' : name)
    }),
  )
})
