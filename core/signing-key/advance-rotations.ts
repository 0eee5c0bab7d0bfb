// Continues the rotations: activates versions that the workers have loaded, records why others cannot be used, and releases old ones.
import type { StorelessCore } from '#core/context.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { replaceActiveVersion } from './activate-version.ts'
import { nextRotationStep, type RotationStep } from './rules.ts'
import {
  failVersion,
  listPendingKeys,
  lockRotation,
  type PendingRotation,
  recoverVersion,
  releaseVersions,
} from './version-store.ts'
import { deleteDeadWorkers, listRotationWorkers, LIVE_SECONDS } from './worker-store.ts'

/** Returns how many versions and workers it changed. Any number of processes may run it. Needs the system role. */
export async function advanceRotations({ database, log }: Pick<StorelessCore, 'database' | 'log'>): Promise<number> {
  const [dead, released, pending] = await Promise.all([
    deleteDeadWorkers(database),
    releaseVersions(database, LIVE_SECONDS),
    listPendingKeys(database),
  ])
  let changes = dead + released
  for (const keyId of pending) {
    const taken = await inTransaction(database, (sql) => advance(sql, keyId))
    if (!taken) continue
    changes += 1
    const { step, version } = taken
    if (step.kind === 'flip') log.info({ keyId, version, missing: step.missing }, 'signing_key.activated')
    if (step.kind === 'fail') log.warn({ keyId, version, reason: step.reason, why: step.message }, 'signing_key.refused')
  }
  return changes
}

/** Undefined when it has to wait, or another process decides now. */
async function advance(sql: Sql, keyId: string): Promise<{ step: RotationStep; version: number } | undefined> {
  const rotation = await lockRotation(sql, keyId)
  if (!rotation) return undefined
  const { hasFailed, activeVersion, announcedSeconds, version } = rotation
  const workers = await listRotationWorkers(sql, rotation)
  const step = nextRotationStep({ hasFailed, hasActive: activeVersion !== null, announcedSeconds, workers })
  return (await take(sql, rotation, step)) ? { step, version } : undefined
}

/** False for a step that changes nothing. */
async function take(sql: Sql, rotation: PendingRotation, step: RotationStep): Promise<boolean> {
  if (step.kind === 'fail') return failVersion(sql, { ...rotation, ...step })
  if (step.kind === 'recover') return recoverVersion(sql, rotation.keyId, rotation.version)
  if (step.kind === 'wait') return false
  await replaceActiveVersion(sql, rotation)
  return true
}
