// The Secrets of objects born in Kubernetes, by name: the controller may neither list nor watch Secrets.
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { type RevealedSecrets, revealForSecret } from '#core/webhook/mirror/reveal-for-secret.ts'
import { CONTROLLER_MANAGER, ownerOf } from '../projection/object-writes.ts'
import { applyObject } from '../runtime/object-calls.ts'
import type { WebhookContext } from './context.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import { type OwnedSecret, ownedSecretName, type SuppliedSecret } from './snapshot.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

interface Secret extends KubeObject {
  type?: string
  data?: Record<string, string>
}

/** The value that `spec.secretRef` names. */
export async function readSuppliedSecret(context: WebhookContext, { spec }: WebhookSubscription): Promise<SuppliedSecret> {
  if (!spec.secretRef) return { kind: 'NONE' }
  const { name, key = 'secret' } = spec.secretRef
  const secret = await readSecret(context, name)
  if (!secret)
    return {
      kind: 'MISSING',
      message: `There is no Secret ${name} in this namespace. Create it; it is read again within a minute.`,
    }
  const value = secret.data?.[key]
  if (value === undefined)
    return { kind: 'MISSING', message: `The Secret ${name} has no key ${key}. Add it; it is read again within a minute.` }
  return { kind: 'READ', secret: Buffer.from(value, 'base64').toString('utf8') }
}

/** Whether the object's own Secret holds the secrets that are in use. */
export async function readOwnedSecret(
  context: WebhookContext,
  { metadata }: WebhookSubscription,
  id: string,
): Promise<OwnedSecret> {
  const name = ownedSecretName(metadata.name)
  const secret = await readSecret(context, name)
  if (!secret) return { kind: 'ABSENT' }
  // Of an earlier object of this name, which the API server is about to delete with its owner.
  if (isOfEarlier(secret, metadata)) return { kind: 'OURS', isCurrent: false }
  if (!isOwnedBy(secret, metadata.uid)) {
    const message = `The Secret ${name} exists and does not belong to this object. Delete it; it is created again with the signing secret.`
    return { kind: 'FOREIGN', message }
  }
  const inUse = await revealForSecret(context.core, context.leadership.fence, id)
  const { secret: current, previous } = encoded(inUse)
  return { kind: 'OURS', isCurrent: secret.data?.['secret'] === current && secret.data['previous'] === previous }
}

/** The signing secret that the object's own Secret holds; undefined without one. */
export async function readKeptSecret(context: WebhookContext, { metadata }: WebhookSubscription): Promise<string | undefined> {
  const secret = await readSecret(context, ownedSecretName(metadata.name))
  const value = secret && isOwnedBy(secret, metadata.uid) ? secret.data?.['secret'] : undefined
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8')
}

/** Writes the secrets that are in use into the object's own Secret; the API server deletes it with the object. */
export async function writeOwnedSecret(context: WebhookContext, object: WebhookSubscription, id: string): Promise<void> {
  const { name, namespace = context.namespace } = object.metadata
  const { core, leadership, kube } = context
  const inUse = encoded(await revealForSecret(core, leadership.fence, id))
  const metadata = {
    name: ownedSecretName(name),
    namespace,
    labels: { 'app.kubernetes.io/managed-by': 'sealwright', 'sealwright.io/subscription-id': id },
    ownerReferences: [ownerOf(object)],
  }
  const secret: Secret = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data: { ...inUse } }
  await leadership.takeWrite()
  await applyObject(kube, SECRETS, secret, { manager: CONTROLLER_MANAGER, force: true, signal: leadership.signal })
}

function encoded({ secret, previous }: RevealedSecrets): { secret: string; previous?: string } {
  const toBase64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')
  return { secret: toBase64(secret), ...(previous !== undefined && { previous: toBase64(previous) }) }
}

function isOwnedBy({ metadata }: Secret, uid: string | undefined): boolean {
  return metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false
}

function isOfEarlier({ metadata }: Secret, { uid, name }: WebhookSubscription['metadata']): boolean {
  const { kind } = WEBHOOK_SUBSCRIPTIONS
  return metadata.ownerReferences?.some((owner) => owner.kind === kind && owner.name === name && owner.uid !== uid) ?? false
}

async function readSecret({ kube, namespace, leadership }: WebhookContext, name: string): Promise<Secret | undefined> {
  try {
    return await kube.requests.request<Secret>({
      method: 'GET',
      path: objectPath(SECRETS, namespace, name),
      signal: leadership.signal,
    })
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined
    throw error
  }
}
