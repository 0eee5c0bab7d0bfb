// The controller's jobs. Each claims its rows, so that several controllers may run.
import { extendLedgers } from '#core/audit/extend-ledger.ts'
import { releaseOverdue } from '#core/event/release-overdue.ts'
import type { SystemCore } from '#core/context.ts'
import { deleteOrphans } from '#core/envelope/document/delete-orphans.ts'
import { deleteUnattached } from '#core/envelope/document/delete-unattached.ts'
import { deleteStaleDrafts } from '#core/envelope/delete-stale-drafts.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import { pruneHistory } from '#core/installation/prune-history.ts'
import { raiseWatermark } from '#core/installation/raise-watermark.ts'
import {
  EVENT_HOLD_CHECK_SECONDS,
  HISTORY_INTERVAL_SECONDS,
  LEDGER_INTERVAL_SECONDS,
  ORPHAN_INTERVAL_SECONDS,
  ROTATION_CHECK_SECONDS,
  WATERMARK_INTERVAL_SECONDS,
} from '#core/limits.ts'
import { deleteStoredResponses } from '#core/account/idempotency/delete-stored-responses.ts'
import { deleteIdleBuckets } from '#core/account/rate/delete-idle-buckets.ts'
import { deleteExpiredSignIns } from '#core/account/session/delete-expired-sign-ins.ts'
import { archiveEnvelopes } from '#core/envelope/retention/archive-envelopes.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { advanceRotations } from '#core/signing-key/advance-rotations.ts'
import { keepDeliveryPartitions } from '#core/webhook/delivery/keep-partitions.ts'
import type { ClockJob } from './start-clock.ts'

export function clockJobs(core: SystemCore): ClockJob[] {
  const { expirySweepIntervalSeconds, sweepIntervalSeconds } = core.settings
  const rolledBack = newThrottledLog(core.log, 'store.rolled_back')
  return [
    { name: 'expire-envelopes', everySeconds: expirySweepIntervalSeconds, run: () => expireEnvelopes(core) },
    { name: 'advance-rotations', everySeconds: ROTATION_CHECK_SECONDS, run: () => advanceRotations(core) },
    { name: 'release-overdue-events', everySeconds: EVENT_HOLD_CHECK_SECONDS, run: () => releaseOverdue(core) },
    { name: 'extend-audit-ledgers', everySeconds: LEDGER_INTERVAL_SECONDS, run: () => extendLedgers(core) },
    { name: 'delete-stale-drafts', everySeconds: sweepIntervalSeconds, run: () => deleteStaleDrafts(core) },
    { name: 'archive-envelopes', everySeconds: sweepIntervalSeconds, run: () => archiveEnvelopes(core) },
    { name: 'delete-unattached-uploads', everySeconds: sweepIntervalSeconds, run: () => deleteUnattached(core) },
    { name: 'delete-stored-responses', everySeconds: sweepIntervalSeconds, run: () => deleteStoredResponses(core) },
    { name: 'delete-idle-rate-buckets', everySeconds: sweepIntervalSeconds, run: () => deleteIdleBuckets(core) },
    { name: 'delete-expired-sign-ins', everySeconds: sweepIntervalSeconds, run: () => deleteExpiredSignIns(core) },
    { name: 'raise-watermark', everySeconds: WATERMARK_INTERVAL_SECONDS, run: () => raiseWatermark(core, rolledBack) },
    { name: 'delete-orphans', everySeconds: ORPHAN_INTERVAL_SECONDS, run: () => deleteOrphans(core) },
    { name: 'prune-history', everySeconds: HISTORY_INTERVAL_SECONDS, run: () => pruneHistory(core) },
    { name: 'keep-delivery-partitions', everySeconds: HISTORY_INTERVAL_SECONDS, run: () => keepDeliveryPartitions(core) },
  ]
}
