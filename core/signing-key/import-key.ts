// A key from a PKCS#12 file that an operator names: the next version of the installation's own key, or of an organisation's.
import { randomUUID } from 'node:crypto'
import type { Core } from '#core/context.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { addVersion } from './add-version.ts'
import { boxContext } from './box-context.ts'
import { KeyRefusedError } from './key-error.ts'
import { hasOrganisation, insertKey, type KeyRow, lockActiveKey, lockKey } from './key-store.ts'
import { lockOwnKey } from './lock-own-key.ts'
import type { OpenedKey } from './loading/key-task.ts'
import { findNewestVersion } from './version-store.ts'

export interface Import {
  /** Absent: for the installation. */
  orgId?: string
  opened: OpenedKey
}

/** Announces the key as a version, stored encrypted. A key that is the newest version already is not announced again. Throws KeyRefusedError. */
export async function importKey(
  core: Pick<Core, 'database' | 'keys'>,
  { orgId, opened }: Import,
): Promise<{ keyId: string; version: number }> {
  return inTransaction(core.database, async (sql) => {
    const key = orgId === undefined ? await lockOwnKey(sql, 'installation') : await lockKeyOf(sql, orgId)
    const newest = await findNewestVersion(sql, key.id)
    if (newest && newest.state !== 'RETIRED' && newest.fingerprint === opened.certificate.fingerprint)
      return { keyId: key.id, version: newest.version }
    const version = await addVersion(sql, key, (number) => ({
      selfMade: false,
      request: null,
      opened: opened.certificate,
      material: { kind: 'BOX' },
      box: core.keys.seal(opened.pem, boxContext(key.id, number)),
    }))
    return { keyId: key.id, version }
  })
}

/** The organisation's active key, or a new one. */
async function lockKeyOf(sql: Sql, orgId: string): Promise<KeyRow> {
  if (!(await hasOrganisation(sql, orgId)))
    throw new KeyRefusedError('OrganisationUnknown', `There is no organisation ${orgId}; list them with: sealwright org list`)
  const active = await lockActiveKey(sql, orgId)
  if (active) return lockOwnKey(sql, { id: active.id })
  const id = randomUUID()
  await insertKey(sql, { id, orgId, origin: 'API', providerType: 'PKCS12', state: 'ACTIVE' })
  const inserted = await lockKey(sql, { id })
  if (!inserted) throw new Error('The signing key was not inserted.')
  return inserted
}
