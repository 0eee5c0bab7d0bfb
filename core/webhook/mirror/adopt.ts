// Gives an orphaned webhook to a new object.
import { recordKubernetesEvent } from '#core/account/activity/record-admin-event.ts'
import type { StorelessCore } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import type { Fence } from '#core/mirror/fence.ts'
import { inFencedTransaction } from '#core/mirror/in-fenced-transaction.ts'
import { activityDetail } from '#core/webhook/activity-detail.ts'
import { bindObject, lockBound, type ObjectRef } from './managed-store.ts'
import { deleteManagedIn } from './delete-managed.ts'
import { setGiven } from './reference-store.ts'

export interface Adoption extends ObjectRef {
  /** Id of the webhook. */
  id: string
  /** Organisation as the object says. */
  orgId: OrgId
  /** Creation time of the object. */
  createdAt: Date
}

export type AdoptionOutcome = { outcome: 'adopted' } | { outcome: 'refused'; message: string }

/** Idempotent. A webhook that the object has already is deleted: the adopted one gets the same events. Refuses another organisation's webhook, one created in the
 *  panel, and one that has its object. Throws FencedError. */
export async function adopt(core: Pick<StorelessCore, 'database'>, fence: Fence, adoption: Adoption): Promise<AdoptionOutcome> {
  const { id, uid, orgId } = adoption
  return inFencedTransaction(core, fence, async (sql) => {
    const webhook = await lockBound(sql, { id })
    if (webhook?.orgId !== orgId || webhook.origin !== 'KUBERNETES') return refuse(`There is no orphaned webhook ${id}.`)
    const own = await lockBound(sql, { uid })
    if (own?.id === webhook.id) return { outcome: 'adopted' }
    if (!webhook.orphanedAt) return refuse(`The webhook belongs to ${nameOf(webhook.object)}.`)
    await deleteManagedIn(sql, uid)
    await bindObject(sql, orgId, webhook.id, adoption)
    // What the object names is read again, and given to the webhook that it has now.
    await setGiven(sql, uid, false)
    await recordKubernetesEvent(sql, orgId, adoption, { action: 'webhook.adopted', detail: activityDetail(webhook) })
    return { outcome: 'adopted' }
  })
}

function nameOf(object: { namespace: string; name: string } | null): string {
  return object ? `${object.namespace}/${object.name}` : 'an object'
}

function refuse(message: string): AdoptionOutcome {
  return { outcome: 'refused', message }
}
