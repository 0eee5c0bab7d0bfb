// Seals one completed envelope that is due. A crash at any point leaves the intent, its lease lapses, and the next run goes on where this one
// stopped: what was sealed is recorded before it is stored, so a second run stores the same bytes.
import type { SystemCore } from '#core/context.ts'
import { type HeldLeases, holdLease, LEASE_SECONDS } from '#core/work/hold-lease.ts'
import { MAX_SEAL_ATTEMPTS, MAX_SEAL_LOSSES } from '#core/limits.ts'
import type { SealRequested } from '#core/messaging/messages.ts'
import { sealDelay, workAttempts, workDuration } from '#core/platform/metrics/metrics.ts'
import { inSealStage } from './seal-stage.ts'
import { isUnavailable } from '#core/platform/postgres/postgres-error.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { inSpan, type Span } from '#core/platform/trace/spans.ts'
import { finishSeal } from './finish-seal.ts'
import { sealDocuments } from './seal-documents.ts'
import { type SealingPool, SigningKeyUnusableError } from './sealing-pool.ts'
import { delaySeal, releaseSealLease, leaseDueSeal, type LeasedSeal, renewSealLease } from './store.ts'

const FIRST_DELAY_SECONDS = 10
const PASSING_DELAY_SECONDS = 15

/** Seals the wanted envelope, or with none whichever has been due longest. False when nothing was due. A fault of one envelope is written down
 *  with the time of its next try, and is not thrown. Its lease is one of `held` while it is sealed. Needs a database of the system role. */
export async function sealNextEnvelope(
  core: SystemCore,
  sealing: SealingPool,
  wanted?: SealRequested,
  held: HeldLeases = new Set(),
): Promise<boolean> {
  const lease = await leaseDueSeal(core.database, LEASE_SECONDS, wanted)
  if (!lease) return false
  const attributes = { 'sealwright.envelope_id': lease.envelopeId, 'sealwright.attempt': lease.attempts }
  await inSpan('seal envelope', { parent: lease.traceParent, attributes }, (span) =>
    sealLeased(core, sealing, { lease, held, span }),
  )
  return true
}

interface Taken {
  lease: LeasedSeal
  held: HeldLeases
  span: Span
}

/** `superseded`: its lease was gone, and the envelope another's, or at its end, when it came to its own. */
type Outcome = 'done' | 'failed' | 'parked' | 'superseded'

async function sealLeased(core: SystemCore, sealing: SealingPool, { lease, held, span }: Taken): Promise<void> {
  const end = workDuration.startTimer({ role: 'seal' })
  const sealed = seal(core, sealing, lease, held)
  const outcome = await sealed.catch((error: unknown) => postpone(core, lease, error))
  span.setAttribute('sealwright.outcome', outcome)
  end({ outcome })
  workAttempts.inc({ role: 'seal', outcome })
}

async function seal(core: SystemCore, sealing: SealingPool, lease: LeasedSeal, held: HeldLeases): Promise<Outcome> {
  const startedAt = performance.now()
  const { orgId, envelopeId, attempts } = lease
  assertNotLost(lease)
  const sealed = await holdLease(
    {
      renew: () => renewSealLease(core.database, lease, LEASE_SECONDS),
      releaseLease: () => releaseSealLease(core.database, lease),
    },
    core.log,
    held,
    () => sealDocuments(core, sealing, lease),
  )
  const isFirst = await inSealStage('record', () => finishSeal(core, lease, sealed))
  const tookMs = performance.now() - startedAt
  const summary = { orgId, envelopeId, attempts, documents: sealed.documents.length, durationMs: Math.round(tookMs) }
  if (!isFirst) {
    core.log.info(summary, 'seal.superseded')
    return 'superseded'
  }
  sealDelay.observe(lease.waitedSeconds + tookMs / 1000)
  core.log.info(summary, 'envelope.sealed')
  return 'done'
}

async function postpone(core: SystemCore, lease: LeasedSeal, error: unknown): Promise<Outcome> {
  const { orgId, envelopeId, attempts, failures } = lease
  // A store or a database that is away, or a key that is out of date, says nothing about this envelope: it waits as long as it takes, and is
  // never set aside for that.
  const passes = isPassing(error)
  const park = !passes && (failures + 1 >= MAX_SEAL_ATTEMPTS || error instanceof SealLost)
  const delaySeconds = passes ? PASSING_DELAY_SECONDS : FIRST_DELAY_SECONDS * 6 ** failures
  core.log.error({ err: error, orgId, envelopeId, attempts, park }, 'seal.failed')
  const message = error instanceof Error ? error.message : String(error)
  const isPostponed = await delaySeal(core.database, lease, { error: message, delaySeconds, park, counts: !passes })
  if (!isPostponed) return 'superseded'
  return park ? 'parked' : 'failed'
}

/** It may be what ends the processes that take it. */
class SealLost extends Error {}

/** What failed or was handed back had a word of it, and what met a fault that passes is no attempt: the others before this one are losses. */
function assertNotLost({ attempts, failures, released }: LeasedSeal): void {
  const losses = attempts - 1 - failures - released
  if (losses >= MAX_SEAL_LOSSES)
    throw new SealLost(`Taken ${losses} times without a word of how it went: its workers ended, or lost the database.`)
}

function isPassing(error: unknown): boolean {
  if (error instanceof SigningKeyUnusableError) return true
  if (error instanceof StorageError) return !['missing', 'corrupt', 'range'].includes(error.reason)
  return isUnavailable(error)
}
