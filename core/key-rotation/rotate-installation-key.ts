// `sealwright installation-key rotate`: the key of the settings takes the place of the previous one.
import { findKeyState } from '#core/installation/store.ts'
import { equalSecrets } from '#core/platform/crypto/installation-keys.ts'
import { retiredContext, writeRetired } from '#core/platform/crypto/retired-key.ts'
import { type Database, inTransaction } from '#core/platform/postgres/client.ts'
import type { KeyPair } from './renewed-column.ts'
import { type Renewed, renewValues } from './renew-values.ts'
import { replaceProof } from './store.ts'

export interface Rotation extends Renewed {
  /** Whether this run made the key of the settings the one that writes. */
  switched: boolean
}

/** `processesFollow` resolves when running processes write with the new key. May be cut off anywhere and run again. Throws one sentence when the keys are
 *  not those of the database. Needs the owner's rights. */
export async function rotateInstallationKey(
  core: { database: Database },
  pair: KeyPair,
  processesFollow: () => Promise<void>,
  afterBatch?: (renewed: number) => void,
): Promise<Rotation> {
  const switched = await switchKey(core, pair)
  // What a process writes with the old key after this would have to be renewed by another run.
  await processesFollow()
  return { switched, ...(await renewValues(core, pair, afterBatch)) }
}

async function switchKey({ database }: { database: Database }, { current, previous }: KeyPair): Promise<boolean> {
  const state = await findKeyState(database)
  if (!state) throw new Error('The database has no installation key yet: start the service first.')
  if (equalSecrets(state.proof, current.proof)) return false
  if (!previous) throw new Error('SEALWRIGHT_PREVIOUS_INSTALLATION_KEY is not set: the key that is to be replaced.')
  if (!equalSecrets(state.proof, previous.proof))
    throw new Error('SEALWRIGHT_PREVIOUS_INSTALLATION_KEY is not the key that the database uses.')
  if (state.retired.some(({ proof }) => equalSecrets(proof, current.proof)))
    throw new Error('SEALWRIGHT_INSTALLATION_KEY was replaced before. Make a new key: openssl rand -base64 32')
  const box = current.seal(writeRetired(previous.retire()), retiredContext(previous.proof))
  return inTransaction(database, (sql) => replaceProof(sql, { from: previous.proof, to: current.proof, box }))
}
