// A key from a PKCS#12 file that an operator names: the next version of the installation's own key, or of an organisation's.
import { randomUUID } from 'node:crypto'
import type { Core } from '#core/context.ts'
import type { InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { addVersion } from './add-version.ts'
import { keyAad } from './key-aad.ts'
import { isMarked } from './certificate-store.ts'
import { KeyRefusedError } from './key-error.ts'
import { hasOrganisation, insertKey, type KeyRow, lockActiveKey, lockKey } from './key-store.ts'
import { lockOwnKey } from './lock-own-key.ts'
import type { OpenedKey } from './loading/key-task.ts'
import { decryptKey } from './decrypt-key.ts'
import type { VersionState } from './signing-key.ts'
import { findNewestVersion, type VersionRow } from './version-store.ts'
import { findLoadable } from './worker-store.ts'

export interface Import {
  /** Absent: for the installation. */
  orgId?: string
  opened: OpenedKey
}

export interface Imported {
  keyId: string
  version: number
  /** State of the version before the import; absent for a new one. */
  stateBefore?: VersionState
}

/** Announces the key as a version, stored encrypted. A key that the newest version stores already is not announced again. Throws KeyRefusedError. */
export async function importKey(core: Pick<Core, 'database' | 'keys'>, { orgId, opened }: Import): Promise<Imported> {
  return inTransaction(core.database, async (sql) => {
    const key = orgId === undefined ? await lockOwnKey(sql, 'installation') : await lockKeyOf(sql, orgId)
    const newest = await findNewestVersion(sql, key.id)
    if (newest && (await stores(sql, core.keys, newest, opened)))
      return { keyId: key.id, version: newest.version, stateBefore: newest.state }
    if (await isMarked(sql, opened.certificate.fingerprint))
      throw new KeyRefusedError(
        'Compromised',
        'This certificate is marked as compromised, so its seals would not be valid: import another key.',
      )
    const version = await addVersion(sql, key, (number) => ({
      selfMade: false,
      request: null,
      opened: opened.certificate,
      material: { kind: 'BOX' },
      box: core.keys.seal(opened.pem, keyAad(key.id, number)),
    }))
    return { keyId: key.id, version }
  })
}

/** False also for a version with the same certificate whose private key is elsewhere, or was altered: importing it repairs that. */
async function stores(
  sql: Sql,
  keys: InstallationKeys,
  { keyId, version, state, fingerprint, kind }: VersionRow,
  { pem, certificate }: OpenedKey,
): Promise<boolean> {
  if (state === 'RETIRED' || kind !== 'BOX' || fingerprint !== certificate.fingerprint) return false
  const stored = await findLoadable(sql, keyId, version)
  return stored !== undefined && decryptKey(keys, stored) === pem
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
