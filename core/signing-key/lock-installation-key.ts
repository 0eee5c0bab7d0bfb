// The row of the installation's own key.
import { randomUUID } from 'node:crypto'
import type { Sql } from '#core/platform/postgres/client.ts'
import { insertKey, type KeyRow } from './key-store.ts'
import { lockOwnKey } from './lock-own-key.ts'

/** Locks the row, inserted by the first process, until the end of the transaction. */
export async function lockInstallationKey(sql: Sql): Promise<KeyRow> {
  await insertKey(sql, { id: randomUUID(), orgId: null, origin: 'API', providerType: 'INSTALLATION', state: 'ACTIVE' })
  return lockOwnKey(sql, 'installation')
}
