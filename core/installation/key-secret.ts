// The Secret with the installation key, which the first installation in a cluster creates. It is never changed: another key could not read the database.
import { randomBytes } from 'node:crypto'
import type { Core } from '#core/context.ts'
import { deriveInstallationKeys, INSTALLATION_KEY_BYTES, readInstallationKey } from '#core/platform/crypto/installation-keys.ts'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { claimKey } from './check-key.ts'
import { findKeyProof } from './store.ts'

const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret' }
/** The key within the Secret; the chart mounts it by this name. */
export const SECRET_KEY = 'installation-key'

export interface KeySecret {
  namespace: string
  name: string
}

interface Secret extends KubeObject {
  data?: Record<string, string>
}

/** Creates the Secret if it is missing, and returns whether it did. Throws one sentence when its key is not that of the database, or when the database
 *  has a key although the Secret is missing. Needs a migrated database. */
export async function ensureKeySecret(
  { database }: Pick<Core, 'database'>,
  kube: KubeClient,
  secret: KeySecret,
): Promise<{ created: boolean }> {
  const kept = await readSecret(kube, secret)
  if (!kept) await assertNoKey(database, secret)
  const created = kept ? false : await createSecret(kube, secret)
  const text = textOf(kept ?? (await readSecret(kube, secret)), secret)
  await claimKey({ database, keys: deriveInstallationKeys(readInstallationKey(text, describe(secret))) })
  return { created }
}

/** A new key would let every process exit: it is not the one that the database was set up with. */
async function assertNoKey(database: Core['database'], secret: KeySecret): Promise<void> {
  if ((await findKeyProof(database)) === undefined) return
  throw new Error(`${describe(secret)} is missing, but the database was set up with its key. Restore the Secret.`)
}

async function readSecret(kube: KubeClient, { namespace, name }: KeySecret): Promise<Secret | undefined> {
  try {
    return await kube.request<Secret>({ method: 'GET', path: objectPath(SECRETS, namespace, name) })
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined
    throw error
  }
}

/** False when another command was faster. */
async function createSecret(kube: KubeClient, { namespace, name }: KeySecret): Promise<boolean> {
  const body = {
    apiVersion: 'v1',
    kind: 'Secret',
    // Without an owner, so that neither an uninstall nor the end of the Job deletes it.
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/name': 'sealwright', 'app.kubernetes.io/managed-by': 'sealwright' },
    },
    immutable: true,
    stringData: { [SECRET_KEY]: randomBytes(INSTALLATION_KEY_BYTES).toString('base64') },
  }
  try {
    await kube.request({ method: 'POST', path: objectPath(SECRETS, namespace), body })
    return true
  } catch (error) {
    if (error instanceof KubeError && error.reason === 'AlreadyExists') return false
    throw error
  }
}

function textOf(found: Secret | undefined, secret: KeySecret): string {
  const value = found?.data?.[SECRET_KEY]
  if (value === undefined) throw new Error(`${describe(secret)} has no key ${SECRET_KEY}.`)
  return Buffer.from(value, 'base64').toString('utf8')
}

function describe({ namespace, name }: KeySecret): string {
  return `The Secret ${namespace}/${name}`
}
