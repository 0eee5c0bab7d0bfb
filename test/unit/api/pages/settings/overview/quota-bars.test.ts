import { describe, expect, test } from 'vitest'
import { quotaBar } from '../../../../../../api/pages/settings/overview/quota-bars.ts'

describe('a quota', () => {
  test.each([
    [0, 0, 'fine'],
    [799, 0.799, 'fine'],
    [800, 0.8, 'near'],
    [1000, 1, 'full'],
    [1200, 1, 'full'],
  ])('with %d of 1000 used fills its bar by %d', (current, part, state) => {
    expect(quotaBar({ dimension: 'OPEN_ENVELOPES', limit: 1000, current })).toMatchObject({ part, state })
  })

  test('without a limit has no bar', () => {
    expect(quotaBar({ dimension: 'OPEN_ENVELOPES', limit: 0, current: 5 })).toMatchObject({
      part: undefined,
      state: 'fine',
      used: '5',
    })
  })

  test('of bytes is shown in sizes', () => {
    expect(quotaBar({ dimension: 'STORAGE_BYTES', limit: 10 * 1024 ** 3, current: 1536 })).toMatchObject({
      used: '1.5 KiB',
      limit: '10 GiB',
    })
    expect(quotaBar({ dimension: 'STORAGE_BYTES', limit: 1, current: 0 }).used).toBe('0 B')
  })
})
