import { expect, test } from 'vitest'
import { exceedsValueLimit } from '../../../../../api/http/body/json-value-limit.ts'

test.each([
  ['{"a":1,"b":2}', 3],
  ['[1,2,3,4]', 3],
  ['{"a":[{"b":1},{"b":2}]}', 4],
  [String.raw`["\",:,:",",","\\",":"]`, 3],
  ['{}', 0],
  ['"no end :,', 0],
])('between the names and values of %s stand %i signs', (json, between) => {
  expect(exceedsValueLimit(json, between + 1)).toBe(false)
  expect(exceedsValueLimit(json, Math.max(between, 1))).toBe(between > 0)
})
