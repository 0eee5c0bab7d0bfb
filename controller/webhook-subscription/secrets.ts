// The Secrets of objects managed in Kubernetes. The controller may create and delete Secrets, and read none. A Secret is never changed: its name says which content
// it has.
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import {
  forgetDeletedSecret,
  type PreparedSecret,
  prepareSecret,
  recordCreatedSecret,
} from '#core/webhook/mirror/secret-objects.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { CONTROLLER_MANAGER, ownerOf } from '../projection/object-writes.ts'
import { createObject, deleteObject, wouldDelete } from '../runtime/object-calls.ts'
import type { WebhookContext } from './context.ts'
import type { WebhookSubscription } from './resource.ts'
import { SUBSCRIPTION_LABEL } from './snapshot.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

interface Secret extends KubeObject {
  type: string
  immutable: true
  data: Record<string, string>
}

/** Creates the Secret with the secrets that are in use; the API server deletes it with the object. One of this name is replaced: it is what a creation that was
 *  interrupted has left, or a copy, because the name cannot be guessed. Throws KubeError. */
export async function createSecret(context: WebhookContext, object: WebhookSubscription, id: string): Promise<void> {
  const { core, leadership, kube, namespace } = context
  const { uid: objectUid } = object.metadata
  const prepared = await prepareSecret(core, leadership.fence, id, object.status?.secret?.secretName)
  const secret = secretOf(object, namespace, id, prepared)
  const options = { manager: CONTROLLER_MANAGER, signal: leadership.signal }
  await leadership.takeWrite()
  let stored = await createObject(kube, SECRETS, secret, options)
  if (!stored) {
    await deleteObject(kube, SECRETS, { namespace, name: prepared.name }, { signal: leadership.signal })
    await leadership.takeWrite()
    stored = await createObject(kube, SECRETS, secret, options)
  }
  if (!stored) throw new KubeError(409, 'AlreadyExists', `Something else creates the Secret ${prepared.name}.`)
  await recordCreatedSecret(core, leadership.fence, { objectUid, name: prepared.name, uid: stored.metadata.uid ?? '' })
}

/** Deletes a Secret that the object no longer shows. */
export async function deleteSecret(
  context: WebhookContext,
  { metadata: { uid: objectUid } }: WebhookSubscription,
  { name, uid }: { name: string; uid: string | null },
): Promise<void> {
  const { core, leadership, kube, namespace } = context
  const { signal } = leadership
  await leadership.takeWrite()
  try {
    await deleteObject(kube, SECRETS, { namespace, name }, { ...(uid !== null && { uid }), signal })
  } catch (error) {
    // Ours is gone; what has its name now is not ours.
    if (!(error instanceof KubeError) || error.status !== 409) throw error
  }
  await forgetDeletedSecret(core, leadership.fence, { objectUid, name })
}

/** Whether the Secret that was created for the row has been deleted or replaced since. */
export async function isSecretGone(context: WebhookContext, { secret }: MirroredWebhook): Promise<boolean> {
  const { kube, namespace, leadership } = context
  const uid = secret.created.find(({ name }) => name === secret.objectName)?.uid
  if (secret.objectName === null || !uid) return false
  return !(await wouldDelete(kube, SECRETS, { namespace, name: secret.objectName, uid }, leadership.signal))
}

function secretOf(
  object: WebhookSubscription,
  namespace: string,
  id: string,
  { name, secret, previous }: PreparedSecret,
): Secret {
  const toBase64 = (text: string) => Buffer.from(text, 'utf8').toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    immutable: true,
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'sealwright', [SUBSCRIPTION_LABEL]: id },
      ownerReferences: [ownerOf(object)],
    },
    data: { secret: toBase64(secret), ...(previous !== undefined && { previous: toBase64(previous) }) },
  }
}
