// The steps of the reconcile of a SigningKey.
import type { Steps } from '../projection/reconcile-object.ts'
import type { Outcome } from '../runtime/reconciler.ts'
import { act } from './act.ts'
import type { KeyContext, KeyProgress } from './context.ts'
import type { Effect, Plan } from './effect.ts'
import { eventsOf } from './events.ts'
import { nextRenewal } from './next-version.ts'
import { observe } from './observe.ts'
import { plan } from './plan.ts'
import { SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import type { Snapshot } from './snapshot.ts'
import { statusOf, unavailableStatus } from './status.ts'

/** How often a Certificate is read that cert-manager is issuing. */
const ISSUING_RETRY_MS = 3000
const RELEASE_RETRY_MS = 2000
const EXPIRING_MS = 30 * 86_400_000

export function keySteps(context: KeyContext): Steps<SigningKeyObject, KeyProgress, Snapshot, Effect, Plan> {
  return {
    resource: SIGNING_KEYS,
    newProgress: () => ({}),
    observe: (key, progress) => observe(context, key, progress),
    plan,
    act: (snapshot, effect, progress) => act(context, snapshot, effect, progress),
    statusOf,
    unavailableStatus,
    eventsOf,
    outcomeOf,
  }
}

function outcomeOf(snapshot: Snapshot, { refusal, mismatch, pending, awaitsRelease }: Plan): Outcome {
  if (awaitsRelease) return { kind: 'after', ms: RELEASE_RETRY_MS }
  if (pending !== undefined) return { kind: 'after', ms: ISSUING_RETRY_MS }
  const reason = refusal?.reason ?? mismatch?.reason
  if (reason !== undefined) return { kind: 'refuse', reason }
  const { now } = snapshot
  const next = momentsOf(snapshot).filter((moment) => moment > now.getTime())
  return next.length > 0 ? { kind: 'after', ms: Math.min(...next) - now.getTime() + 1000 } : { kind: 'done' }
}

/** When the object shows something else, or a version is due, although nothing changes. */
function momentsOf({ object, row }: Snapshot): number[] {
  if (!object || !row || row.state === 'RETIRED') return []
  const certificates = [row.active, row.next].flatMap((version) => version?.certificate ?? [])
  const limits = certificates.flatMap(({ notBefore, notAfter }) => [
    notBefore.getTime(),
    notAfter.getTime() - EXPIRING_MS,
    notAfter.getTime(),
  ])
  const renewal = object.spec.origin === 'API' ? undefined : nextRenewal(object, row)
  return [...limits, ...(renewal ? [renewal.getTime()] : [])]
}
