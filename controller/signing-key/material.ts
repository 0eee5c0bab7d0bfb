// The Secrets and Certificates of versions. The controller creates and deletes Secrets of keys, and reads none.
import { randomBytes } from 'node:crypto'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { deleteMaterial } from '#core/signing-key/delete-material.ts'
import { makeSecretEntries } from '#core/signing-key/make-key.ts'
import type { KeyMaterial, SigningKeyView } from '#core/signing-key/signing-key.ts'
import { ownerOf } from '../projection/object-writes.ts'
import { deleteObject } from '../runtime/object-calls.ts'
import { certificateName, CERTIFICATES, newCertificate } from './certificate.ts'
import type { KeyContext } from './context.ts'
import type { SigningKeyObject } from './resource.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
const SUFFIX_BYTES = 3

/** Generates a key into a new Secret, which cannot be changed. The random name never meets the Secret of an attempt that was interrupted, which the API server
 *  deletes with the object. */
export async function generateVersion(
  context: KeyContext,
  object: SigningKeyObject,
  version: number,
): Promise<KeyMaterial & { kind: 'SECRET' }> {
  const { core, kube, leadership, namespace } = context
  const { algorithm = 'EC-P256', commonName = object.metadata.name } = object.spec.provider.selfSigned ?? {}
  const stringData = await makeSecretEntries({ algorithm, commonName, now: await databaseNow(core.database) })
  const name = `${object.metadata.name}-v${version}-${randomBytes(SUFFIX_BYTES).toString('hex')}`
  const labels = { 'app.kubernetes.io/managed-by': 'sealwright' }
  const metadata = { name, namespace, labels, ownerReferences: [ownerOf(object)] }
  const body = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, immutable: true, stringData }
  await leadership.takeWrite()
  await kube.requests.request({ method: 'POST', path: objectPath(SECRETS, namespace), body, signal: leadership.signal })
  return { kind: 'SECRET', namespace, name, key: 'tls.key' }
}

/** Why the API server does not accept it; undefined when it exists now. */
export async function createCertificate(
  { kube, leadership, namespace }: KeyContext,
  object: SigningKeyObject,
  version: number,
): Promise<string | undefined> {
  await leadership.takeWrite()
  const body = newCertificate(object, namespace, version)
  const path = objectPath(CERTIFICATES, namespace)
  try {
    await kube.requests.request({ method: 'POST', path, body, signal: leadership.signal })
    return undefined
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    if (error.status === 404) return 'The API server serves no Certificates: install cert-manager.'
    if (error.status === 400 || error.status === 403 || error.status === 422)
      return `The API server refuses the Certificate: ${error.message}`
    throw error
  }
}

/** With the Secret that cert-manager wrote for it, which nothing uses yet. */
export async function deleteCertificate(context: KeyContext, object: SigningKeyObject, version: number): Promise<void> {
  await deleteIssued(context, certificateName(object, version))
}

/** Deletes what a version was made from, and records it. */
export async function deleteVersionMaterial(
  context: KeyContext,
  { id: keyId, providerType }: SigningKeyView,
  { version, secret }: { version: number; secret: string },
): Promise<void> {
  if (providerType === 'CERT_MANAGER') await deleteIssued(context, secret)
  else await remove(context, SECRETS, secret)
  await deleteMaterial(context.core, context.leadership.fence, { keyId, version })
}

/** The Certificate first: cert-manager would write its Secret again. */
async function deleteIssued(context: KeyContext, name: string): Promise<void> {
  await remove(context, CERTIFICATES, name)
  await remove(context, SECRETS, name)
}

async function remove({ kube, leadership, namespace }: KeyContext, resource: Resource, name: string): Promise<void> {
  await leadership.takeWrite()
  await deleteObject(kube, resource, { namespace, name }, { signal: leadership.signal })
}
