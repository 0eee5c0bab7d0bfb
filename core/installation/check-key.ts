// Whether the key is the one with which the database was set up. Another one opens no secret of it, and would spoil the work of those that have the right one.
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { StartupError } from '#core/platform/process/startup-error.ts'
import { findKeyProof, insertKeyProof } from './store.ts'

/** Makes the key that of the installation, if none is yet. Throws StartupError when another one is. */
export async function claimKey(core: Pick<Core, 'database' | 'keys'>): Promise<void> {
  if (await checkKey(core)) return
  await insertKeyProof(core.database, core.keys.proof)
  await checkKey(core)
}

/** False while no key is that of the installation. Throws StartupError when another one is. */
export async function checkKey({ database, keys }: Pick<Core, 'database' | 'keys'>): Promise<boolean> {
  const proof = await findKeyProof(database)
  if (proof === undefined) return false
  if (equalSecrets(proof, keys.proof)) return true
  throw new StartupError('INSTALLATION_KEY', 'SEALWRIGHT_INSTALLATION_KEY: the database was set up with a different key.')
}
