import { readSettings } from '#core/platform/config/read-settings.ts'
import type { Core } from '#core/context.ts'
import { expect, test } from 'vitest'
import { clockJobs } from '../../../../controller/clock/jobs.ts'

test('due work is checked as often as the settings promise', () => {
  const { settings } = readSettings({ SEALWRIGHT_SWEEP_INTERVAL: '7s', SEALWRIGHT_EXPIRY_SWEEP_INTERVAL: '3s' })
  const jobs = clockJobs({ settings } as unknown as Core)
  const every = Object.fromEntries(jobs.map(({ name, everySeconds }) => [name, everySeconds]))
  expect(every).toMatchObject({
    'expire-envelopes': 3,
    'delete-stale-drafts': 7,
    'archive-envelopes': 7,
    'delete-unattached-uploads': 7,
    'extend-audit-ledgers': 5,
  })
})
