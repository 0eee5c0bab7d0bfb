// The conditions of an object, in the order of the contract. Each message says what is the matter and what to do. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { Mismatch } from '../projection/rollback.ts'
import type { ConditionStatus, WebhookConditionType, WebhookReason } from '../reasons.ts'
import { secondTime } from '../runtime/wire-time.ts'
import type { WebhookSubscription } from './resource.ts'
import type { Refusal } from './snapshot.ts'

export interface Facts {
  object?: WebhookSubscription | undefined
  row?: MirroredWebhook | undefined
  refusal?: Refusal | undefined
  mismatch?: Mismatch | undefined
  isStoreUnavailable?: boolean | undefined
  /** What the object shows. */
  before: readonly { type: string; status: ConditionStatus; reason: string; message: string }[]
}

interface Judgement {
  type: WebhookConditionType
  status: ConditionStatus
  reason: string
  message: string
}

/** All six. What cannot be known without the row stays as it was. */
export function conditionsOf(facts: Facts): Judgement[] {
  const others = [accepted(facts), synced(facts), endpointHealthy(facts), rotationInProgress(facts), suspended(facts)]
  return [...others, ready(others)]
}

function judge<Type extends WebhookConditionType>(
  type: Type,
  status: ConditionStatus,
  reason: WebhookReason<Type>,
  message: string,
): Judgement {
  return { type, status, reason, message }
}

/** Undefined when the row is there to judge by. */
function kept({ row, mismatch, isStoreUnavailable, before }: Facts, type: WebhookConditionType): Judgement | undefined {
  if (!isStoreUnavailable && (row || !mismatch)) return undefined
  const shown = before.find((condition) => condition.type === type)
  return shown && { type, status: shown.status, reason: shown.reason, message: shown.message }
}

function accepted(facts: Facts): Judgement {
  const { refusal, row } = facts
  if (refusal) {
    const kept = row ? ' What was accepted before stays in use.' : ''
    return judge('Accepted', 'False', refusal.reason, refusal.message + kept)
  }
  return kept(facts, 'Accepted') ?? judge('Accepted', 'True', 'Accepted', 'The specification is in use.')
}

function synced({ mismatch, isStoreUnavailable, refusal, row }: Facts): Judgement {
  if (isStoreUnavailable) {
    return judge(
      'Synced',
      'Unknown',
      'StoreUnavailable',
      'The database cannot be reached. Deliveries wait for it too; nothing to do here.',
    )
  }
  if (mismatch) return judge('Synced', 'False', mismatch.reason, mismatch.message)
  const state = row ? 'Object and database agree, but for the refused change.' : 'The database has no webhook for this object.'
  return judge('Synced', 'True', 'Synced', refusal ? state : 'Object and database agree.')
}

function endpointHealthy(facts: Facts): Judgement {
  const { row } = facts
  const earlier = kept(facts, 'EndpointHealthy')
  if (earlier) return earlier
  if (row?.disabledAutomatically) {
    const last = row.lastFailure ? ` The last failure: ${row.lastFailure.reason}` : ''
    const message = `Deliveries in a row used up their retries, so the endpoint gets only probes, and is enabled when one succeeds.${last} Repair the receiver, then set spec.probe.request to a new value to probe at once.`
    return judge('EndpointHealthy', 'False', 'AutoDisabled', message)
  }
  if (row?.hasDelivered) return judge('EndpointHealthy', 'True', 'Delivering', 'The endpoint accepts deliveries.')
  const advice = row ? ' Set spec.probe.request to send a test event.' : ''
  return judge('EndpointHealthy', 'Unknown', 'NoTraffic', `No delivery was accepted yet.${advice}`)
}

function rotationInProgress(facts: Facts): Judgement {
  const earlier = kept(facts, 'RotationInProgress')
  if (earlier) return earlier
  const until = facts.row?.secret.previousExpiresAt
  const current = facts.row ? 'One signing secret is in use.' : 'There is no signing secret yet.'
  if (!until) return judge('RotationInProgress', 'False', 'NoRotation', current)
  const message = `Until ${secondTime(until)} deliveries are signed with the new and the previous secret. Change the receiver to the new one before then.`
  return judge('RotationInProgress', 'True', 'GracePeriod', message)
}

function suspended(facts: Facts): Judgement {
  const earlier = kept(facts, 'Suspended')
  if (earlier) return earlier
  // Without a row it is what the object says.
  const { suspended: isBySpec, disabledByAdmin: isByAdmin } = facts.row ?? {
    suspended: facts.object?.spec.suspend === true,
    disabledByAdmin: false,
  }
  if (isBySpec) {
    const also = isByAdmin ? ' It is also disabled in the panel.' : ''
    return judge('Suspended', 'True', 'BySpec', `spec.suspend is true: events are recorded as not sent.${also}`)
  }
  if (isByAdmin) return judge('Suspended', 'True', 'ByAdmin', 'An administrator disabled it in the panel; it is enabled there.')
  return judge('Suspended', 'False', 'NotSuspended', 'It is switched on.')
}

/** A suspended object is ready: tools that wait for readiness would otherwise never finish. */
function ready(others: readonly Judgement[]): Judgement {
  const isSuspended = others.some(({ type, status }) => type === 'Suspended' && status === 'True')
  const failing = others.find(({ type, status }) => FAILS[type]?.(status, isSuspended))
  if (failing) return { ...failing, type: 'Ready', status: 'False' }
  if (isSuspended) return judge('Ready', 'True', 'Suspended', 'Accepted and synced, and switched off on purpose.')
  return judge('Ready', 'True', 'Ready', 'The subscription is in use.')
}

/** Conditions that decide whether the webhook works, and when each fails. */
const FAILS: Partial<Record<WebhookConditionType, (status: ConditionStatus, isSuspended: boolean) => boolean>> = {
  Accepted: (status) => status !== 'True',
  Synced: (status) => status !== 'True',
  EndpointHealthy: (status, isSuspended) => status === 'False' && !isSuspended,
}
