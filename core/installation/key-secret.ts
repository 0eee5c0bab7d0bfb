// The Secret with the installation key, which the first installation in a cluster creates. It is never changed: a rotation uses another Secret.
import { randomBytes } from 'node:crypto'
import type { Core } from '#core/context.ts'
import { deriveInstallationKeys, readInstallationKey } from '#core/platform/crypto/installation-keys.ts'
import { INSTALLATION_KEY_BYTES } from '#core/platform/crypto/key-set.ts'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { loadOrCreateSecret, readSecret, type SecretName, type SecretTexts } from '#core/platform/kubernetes/secret-calls.ts'
import { claimKey } from './check-key.ts'
import { findKeyState } from './store.ts'

/** The key within the Secret; the chart mounts it by this name. */
const SECRET_KEY = 'installation-key'

/** Creates the Secret if it is missing, and returns whether it did. Throws one sentence when its key is not that of the database, or when the database
 *  has a key although the Secret is missing. Needs a migrated database. */
export async function ensureKeySecret(
  { database }: Pick<Core, 'database'>,
  kube: KubeClient,
  secret: SecretName,
): Promise<{ created: boolean }> {
  let made: SecretTexts | undefined
  const texts = await loadOrCreateSecret(kube, secret, async () => {
    await assertNoKey(database, kube, secret)
    return (made = { [SECRET_KEY]: randomBytes(INSTALLATION_KEY_BYTES).toString('base64') })
  })
  const text = texts[SECRET_KEY]
  if (text === undefined) throw new Error(`${describe(secret)} has no key ${SECRET_KEY}.`)
  await claimKey({ database, keys: deriveInstallationKeys(readInstallationKey(text, describe(secret))) })
  return { created: texts === made }
}

/** A new key would let every process exit: it is not the one that the database was set up with. */
async function assertNoKey(database: Core['database'], kube: KubeClient, secret: SecretName): Promise<void> {
  if ((await findKeyState(database)) === undefined) return
  // Another command may have created it since this command checked.
  if (await readSecret(kube, secret)) return
  throw new Error(`${describe(secret)} is missing, but the database was set up with its key. Restore the Secret.`)
}

function describe({ namespace, name }: SecretName): string {
  return `The Secret ${namespace}/${name}`
}
