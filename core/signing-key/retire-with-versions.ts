// The end of a signing key. Its certificates stay, because verification needs them.
import type { Sql } from '#core/platform/postgres/client.ts'
import { setKeyState } from './key-store.ts'
import { retireActiveVersion, retireNextVersion } from './version-store.ts'

/** Retires a locked key and its versions. */
export async function retireWithVersions(sql: Sql, id: string): Promise<void> {
  await setKeyState(sql, id, 'RETIRED')
  await retireNextVersion(sql, id)
  await retireActiveVersion(sql, id)
}
