// The next version of a signing key.
import type { Sql } from '#core/platform/postgres/client.ts'
import { KeyRefusedError } from './key-error.ts'
import type { KeyRow } from './key-store.ts'
import { findNewestVersion, insertVersion, type NewVersion, retireNextVersion } from './version-store.ts'

/** Throws KeyRefusedError for a retired key. */
export function assertNotRetired({ id, state }: Pick<KeyRow, 'id' | 'state'>): void {
  if (state === 'RETIRED') throw new KeyRefusedError('Retired', `The signing key ${id} is retired, which is final.`)
}

/** Announces the next version of a locked key, instead of one that was announced before; returns its number, with which `added` is called. Throws
 *  KeyRefusedError for a retired key. */
export async function addVersion(
  sql: Sql,
  { id, state }: Pick<KeyRow, 'id' | 'state'>,
  added: (version: number) => Omit<NewVersion, 'keyId' | 'version'>,
): Promise<number> {
  assertNotRetired({ id, state })
  const newest = await findNewestVersion(sql, id)
  const version = (newest?.version ?? 0) + 1
  await retireNextVersion(sql, id)
  await insertVersion(sql, { keyId: id, version, ...added(version) })
  return version
}
