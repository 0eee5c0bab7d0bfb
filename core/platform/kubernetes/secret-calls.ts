// Secrets that are created once and never changed.
import type { KubeClient } from './kube-client.ts'
import { KubeError } from './kube-error.ts'
import { type KubeObject, objectPath, type Resource } from './kube-object.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }

export interface SecretName {
  namespace: string
  name: string
}

export type SecretTexts = Readonly<Record<string, string>>

interface Secret extends KubeObject {
  data?: Record<string, string>
}

/** The texts in the Secret, by key; undefined when there is none. */
export async function readSecret(kube: KubeClient, { namespace, name }: SecretName): Promise<SecretTexts | undefined> {
  try {
    const { data = {} } = await kube.request<Secret>({ method: 'GET', path: objectPath(SECRETS, namespace, name) })
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]))
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined
    throw error
  }
}

/** The Secret that is there, else a new one with what `make` returns. It has no owner, so that an uninstall does not delete it. */
export async function loadOrCreateSecret(
  kube: KubeClient,
  secret: SecretName,
  make: () => Promise<SecretTexts>,
): Promise<SecretTexts> {
  const kept = await readSecret(kube, secret)
  if (kept) return kept
  const made = await make()
  return (await createSecret(kube, secret, made)) ? made : ((await readSecret(kube, secret)) ?? made)
}

/** False when another command was faster. */
async function createSecret(kube: KubeClient, { namespace, name }: SecretName, stringData: SecretTexts): Promise<boolean> {
  const labels = { 'app.kubernetes.io/name': 'sealwright', 'app.kubernetes.io/managed-by': 'sealwright' }
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels }, immutable: true, stringData }
  try {
    await kube.request({ method: 'POST', path: objectPath(SECRETS, namespace), body })
    return true
  } catch (error) {
    if (error instanceof KubeError && error.reason === 'AlreadyExists') return false
    throw error
  }
}
