// Checks that the installation key is the one with which the database was set up. Another key could not decrypt its secrets and would write rows that
// processes with the right key cannot read.
import type { Core } from '#core/context.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { StartupError } from '#core/platform/process/startup-error.ts'
import { findKeyProof, insertKeyProof } from './store.ts'

/** Registers the key when the database has none yet. Throws StartupError when it has another one. */
export async function claimKey(core: Pick<Core, 'database' | 'keys'>): Promise<void> {
  if (await checkKey(core)) return
  await insertKeyProof(core.database, core.keys.proof)
  await checkKey(core)
}

/** False while the database has no key. Throws StartupError when it has another one. */
export async function checkKey({ database, keys }: Pick<Core, 'database' | 'keys'>): Promise<boolean> {
  const proof = await findKeyProof(database)
  if (proof === undefined) return false
  if (equalSecrets(proof, keys.proof)) return true
  throw new StartupError('INSTALLATION_KEY', 'SEALWRIGHT_INSTALLATION_KEY: the database was set up with a different key.')
}
