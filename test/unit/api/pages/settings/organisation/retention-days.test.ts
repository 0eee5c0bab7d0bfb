import { expect, test } from 'vitest'
import {
  MAX_RETENTION_DAYS,
  MIN_RETENTION_DAYS,
  readRetentionDays,
} from '../../../../../../api/pages/settings/organisation/retention-days.ts'
import * as limits from '#core/limits.ts'

test.each([
  ['30', 30],
  [' 3650 ', 3650],
  ['', null],
  ['29', undefined],
  ['3651', undefined],
  ['1e3', undefined],
  ['90 days', undefined],
])('%j days are %s', (text, days) => {
  expect(readRetentionDays(text)).toBe(days)
})

test("the range is the service's", () => {
  expect([MIN_RETENTION_DAYS, MAX_RETENTION_DAYS]).toEqual([limits.MIN_RETENTION_DAYS, limits.MAX_RETENTION_DAYS])
})
