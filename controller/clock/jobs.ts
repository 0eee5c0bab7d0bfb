// The jobs of the clock. Each claims its rows, so that two controllers at once do no harm.
import type { Core } from '#core/context.ts'
import { deleteUnattached } from '#core/document/delete-unattached.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import type { ClockJob } from './start-clock.ts'

export function clockJobs(core: Core): ClockJob[] {
  const { expirySweepIntervalSeconds, sweepIntervalSeconds } = core.settings
  return [
    { name: 'expire envelopes', everySeconds: expirySweepIntervalSeconds, run: () => expireEnvelopes(core) },
    { name: 'delete unattached uploads', everySeconds: sweepIntervalSeconds, run: () => deleteUnattached(core) },
  ]
}
