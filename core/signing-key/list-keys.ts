// The signing keys with their versions and the workers that have loaded them.
import type { Core } from '#core/context.ts'
import { findKey, type KeyRef, type KeyRow, type KeyScope, listKeyRows } from './key-store.ts'
import { toKeyView } from './key-view.ts'
import type { SigningKeyView } from './signing-key.ts'
import { listVersions } from './version-store.ts'
import { listLoads } from './worker-store.ts'

/** Every key, oldest first; also retired ones. Needs the system role. */
export async function listKeys({ database }: Pick<Core, 'database'>): Promise<SigningKeyView[]> {
  return withVersions({ database }, await listKeyRows(database))
}

/** One key. Needs the system role. */
export async function readKey({ database }: Pick<Core, 'database'>, ref: KeyRef): Promise<SigningKeyView | undefined> {
  const key = await findKey(database, ref)
  if (!key) return undefined
  const [view] = await withVersions({ database }, [key])
  return view
}

async function withVersions(
  { database }: Pick<Core, 'database'>,
  keys: readonly (KeyRow & KeyScope)[],
): Promise<SigningKeyView[]> {
  const ids = keys.map(({ id }) => id)
  const [versions, loads] = await Promise.all([listVersions(database, ids), listLoads(database)])
  return keys.map((key) => toKeyView(key, versions, loads))
}
