// Whether one of the two stores went back in time. Then neither side is written until a human has decided, with the resolve annotation. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { WebhookSubscription } from './resource.ts'
import { type Mismatch, RESOLVE } from './snapshot.ts'

export interface Rollback {
  mismatch: Mismatch
  isObjectOld: boolean
  /** The decision, when there is one. */
  resolve?: 'from-row' | 'from-object' | undefined
}

const COMMAND = 'run "kubectl sealwright resolve'

/** Undefined while both stores only went forward. */
export function findRollback(
  object: WebhookSubscription,
  row: MirroredWebhook | undefined,
  isTakenOver = false,
): Rollback | undefined {
  const message = isTakenOver ? undefined : rolledBack(object, row)
  if (!message) return undefined
  const resolve = object.metadata.annotations?.[RESOLVE]
  return {
    mismatch: { reason: 'StoreRolledBack', message },
    isObjectOld: isObjectOld(object, row),
    resolve: resolve === 'from-row' || resolve === 'from-object' ? resolve : undefined,
  }
}

function rolledBack(object: WebhookSubscription, row: MirroredWebhook | undefined): string | undefined {
  const { name, generation } = object.metadata
  const shown = object.status?.rowVersion ?? 0
  const choice = `${COMMAND} ${name} --from-row" to keep what the database has, or --from-object to keep what this object says.`
  if (!row) {
    if (shown === 0) return undefined
    return `The database has no subscription for this object, which showed version ${shown} of one: it was restored to an earlier time. To create it again ${COMMAND} ${name} --from-object", or delete the object.`
  }
  if (row.version < shown) {
    return `The database has version ${row.version}, this object showed version ${shown}: the database was restored to an earlier time. Compare both, then ${choice}`
  }
  if (isObjectOld(object, row)) {
    return `This object has generation ${generation}, the database has recorded ${row.object?.generation}: the cluster was restored to an earlier time. Compare both, then ${choice}`
  }
  return undefined
}

function isObjectOld({ metadata }: WebhookSubscription, row: MirroredWebhook | undefined): boolean {
  return row?.object?.uid === metadata.uid && (metadata.generation ?? 0) < (row?.object?.generation ?? 0)
}
