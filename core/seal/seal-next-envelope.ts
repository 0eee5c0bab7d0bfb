// Seals one completed envelope that is due. A crash at any point leaves the intent, its lease lapses, and the next run goes on where this one
// stopped: what was sealed is recorded before it is stored, so a second run stores the same bytes.
import type { Core } from '#core/context.ts'
import { holdLease, LEASE_SECONDS } from '#core/lease/hold-lease.ts'
import { MAX_SEAL_ATTEMPTS } from '#core/limits.ts'
import { finishSeal } from './finish-seal.ts'
import { sealDocuments } from './seal-documents.ts'
import type { SealingPool } from './sealing-pool.ts'
import { delaySeal, leaseDueSeal, type LeasedSeal, renewSealLease } from './store.ts'

const FIRST_DELAY_SECONDS = 10

/** False when nothing was due. A fault of one envelope is written down with the time of its next try, and is not thrown.
 *  Needs a database of the system role. */
export async function sealNextEnvelope(core: Core, sealing: SealingPool): Promise<boolean> {
  const lease = await leaseDueSeal(core.database, LEASE_SECONDS)
  if (!lease) return false
  const startedAt = performance.now()
  try {
    const sealed = await holdLease(
      () => renewSealLease(core.database, lease, LEASE_SECONDS),
      core.log,
      () => sealDocuments(core, sealing, lease),
    )
    await finishSeal(core, lease, sealed)
    const durationMs = Math.round(performance.now() - startedAt)
    core.log.info({ ...lease, documents: sealed.length, durationMs }, 'envelope.sealed')
  } catch (error) {
    await postpone(core, lease, error)
  }
  return true
}

async function postpone(core: Core, { orgId, envelopeId, attempts }: LeasedSeal, error: unknown): Promise<void> {
  const park = attempts >= MAX_SEAL_ATTEMPTS
  const delaySeconds = FIRST_DELAY_SECONDS * 6 ** (attempts - 1)
  core.log.error({ err: error, orgId, envelopeId, attempts, park }, 'seal.failed')
  const message = error instanceof Error ? error.message : String(error)
  await delaySeal(core.database, orgId, envelopeId, { error: message, delaySeconds, park })
}
