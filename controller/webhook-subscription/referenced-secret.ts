// Which Secret an object takes its signing secret from, and what is known of it. Pure.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import type { SecretSource } from '#core/webhook/mirror/managed-webhook.ts'
import type { RequestedReference, SecretReference } from '#core/webhook/mirror/secret-reference.ts'
import type { WebhookSubscription } from './resource.ts'
import type { Refusal, ReferencedSecret } from './snapshot.ts'

/** A worker answers within a second, unless there is none that can. */
const LATE_AFTER_MS = 10_000

/** The Secret of `spec.secretRef`; of an object whose row the database has lost, the one that was made for it: its receiver has that secret. */
export function referenceOf(
  { spec, status, metadata }: WebhookSubscription,
  row: MirroredWebhook | undefined,
): SecretReference | undefined {
  const { namespace = '' } = metadata
  const rotationRequest = spec.rotation?.request ?? null
  if (spec.secretRef) return { namespace, name: spec.secretRef.name, key: spec.secretRef.key ?? 'secret', rotationRequest }
  const kept = row ? undefined : status?.secret?.secretName
  return kept === undefined ? undefined : { namespace, name: kept, key: 'secret', rotationRequest }
}

/** `requested`: what was requested last for the object. */
export function referencedSecretOf(reference: SecretReference, requested: RequestedReference | undefined): ReferencedSecret {
  if (!requested || !isSame(reference, requested)) return { kind: 'NOT_REQUESTED', reference }
  const { answer, namespace, name } = requested
  if (answer.kind === 'READ') return answer
  if (answer.kind === 'FAILED') {
    return { kind: answer.failure === 'UNAVAILABLE' ? 'UNREACHABLE' : answer.failure, message: answer.message }
  }
  if (answer.forMs < LATE_AFTER_MS) return { kind: 'WAITING', forMs: LATE_AFTER_MS - answer.forMs }
  const message = `No worker has read the Secret ${namespace}/${name} yet. Check that a worker with the role seal is running, and that it has access to Kubernetes.`
  return { kind: 'UNREACHABLE', message }
}

/** Why the object cannot have its secret. One that only a lost Secret had is generated again; one that cannot be read at the moment is waited for. */
export function secretRefusal({ spec }: WebhookSubscription, referenced: ReferencedSecret): Refusal | undefined {
  if (referenced.kind === 'UNREACHABLE') return { reason: 'SecretMissing', message: referenced.message }
  if (!spec.secretRef || (referenced.kind !== 'MISSING' && referenced.kind !== 'UNUSABLE')) return undefined
  return { reason: referenced.kind === 'MISSING' ? 'SecretMissing' : 'SecretUnusable', message: referenced.message }
}

export function secretSourceOf({ spec }: WebhookSubscription, referenced: ReferencedSecret): SecretSource {
  if (spec.secretRef) return 'GIVEN'
  return referenced.kind === 'READ' ? 'KEPT' : 'GENERATED'
}

function isSame(one: SecretReference, other: SecretReference): boolean {
  return (['namespace', 'name', 'key', 'rotationRequest'] as const).every((each) => one[each] === other[each])
}
