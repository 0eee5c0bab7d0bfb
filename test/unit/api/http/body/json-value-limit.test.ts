import { expect, test } from 'vitest'
import { hasMoreValues } from '../../../../../api/http/body/json-value-limit.ts'

test.each([
  ['{"a":1,"b":2}', 3],
  ['[1,2,3,4]', 3],
  ['{"a":[{"b":1},{"b":2}]}', 4],
  [String.raw`["\",:,:",",","\\",":"]`, 3],
  ['{}', 0],
  ['"no end :,', 0],
])('between the names and values of %s stand %i signs', (json, between) => {
  expect(hasMoreValues(json, between + 1)).toBe(false)
  expect(hasMoreValues(json, Math.max(between, 1))).toBe(between > 0)
})
