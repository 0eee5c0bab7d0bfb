// Checks that the installation key is the one that the database names. Another key could not decrypt its secrets and would write rows that processes with
// the right key cannot read.
import type { Core } from '#core/context.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { findKeyState, insertKeyProof } from './store.ts'

type KeyCore = Pick<Core, 'database' | 'keys'>

/** Registers the key when the database has none yet. Throws StartupError when it has another one. */
export async function claimKey(core: KeyCore): Promise<void> {
  if (await checkKey(core)) return
  await insertKeyProof(core.database, core.keys.proof)
  await checkKey(core)
}

/** Lets the keys write with the one that the database names. False while it names none. Throws StartupError when it is none of ours. */
export async function checkKey(core: KeyCore): Promise<boolean> {
  const used = await useKey(core)
  if (used === 'other')
    throw new StartupError('INSTALLATION_KEY', 'SEALWRIGHT_INSTALLATION_KEY: the database was set up with a different key.')
  return used === 'ours'
}

/** Checks the key without an error. */
export async function useKey({ database, keys }: KeyCore): Promise<'none' | 'ours' | 'other'> {
  const state = await findKeyState(database)
  if (!state) return 'none'
  return keys.use(state) ? 'ours' : 'other'
}
