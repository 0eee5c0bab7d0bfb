// Seals one completed envelope that is due. Seals are recorded before they are stored, so a second run stores the same bytes.
import type { SystemCore } from '#core/context.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { EnvelopeId } from '#core/ids.ts'
import { MAX_SEAL_FAILURES } from '#core/limits.ts'
import { isUnavailable } from '#core/platform/postgres/postgres-error.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { SigningKeyUnusableError } from '#core/signing-key/key-error.ts'
import type { HeldLeases } from '#core/work/hold-lease.ts'
import type { Job, JobHandler, JobRef } from '#core/work/job.ts'
import { runNextJob } from '#core/work/run-next-job.ts'
import { finishSeal } from './finish-seal.ts'
import { sealBackoffSeconds } from './rules.ts'
import { sealDocuments } from './seal-documents.ts'
import { inSealStage } from './seal-stage.ts'
import type { SealingPool } from './sealing-pool.ts'

/** Seals the wanted envelope, or the one that has been due longest; see `runNextJob`. */
export async function sealNextEnvelope(
  core: SystemCore,
  sealing: SealingPool,
  wanted?: JobRef,
  held?: HeldLeases,
): Promise<boolean> {
  return runNextJob(core, sealHandler(core, sealing), wanted, held)
}

function sealHandler(core: SystemCore, sealing: SealingPool): JobHandler<Job> {
  return {
    kind: SEAL_WORK,
    span: { name: 'seal envelope', attributes: ({ id }) => ({ 'sealwright.envelope_id': id }) },
    perform: (job) => seal(core, sealing, job),
    isTransient: isTransientSealError,
    maxFailures: MAX_SEAL_FAILURES,
    backoffSeconds: sealBackoffSeconds,
  }
}

async function seal(core: SystemCore, sealing: SealingPool, { orgId, id, attempts, takenAt }: Job): Promise<boolean> {
  const startedAt = performance.now()
  const envelope = { orgId, envelopeId: EnvelopeId.parse(id) }
  const sealed = await sealDocuments(core, sealing, { ...envelope, takenAt })
  const isFirst = await inSealStage('record', () => finishSeal(core, envelope, sealed))
  if (isFirst) {
    const durationMs = Math.round(performance.now() - startedAt)
    core.log.info({ ...envelope, attempts, documents: sealed.documents.length, durationMs }, 'envelope.sealed')
  }
  return isFirst
}

/** An unavailable store or database, or a key that cannot be used now, is not a failure of the job. */
export function isTransientSealError(error: unknown): boolean {
  if (error instanceof SigningKeyUnusableError) return true
  if (error instanceof StorageError) return !['missing', 'corrupt', 'range'].includes(error.reason)
  return isUnavailable(error)
}
