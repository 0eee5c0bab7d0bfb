// Stores the self-signed key of an installation encrypted in the database, where every worker finds it.
import type { StorelessCore } from '#core/context.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { replaceActiveVersion } from './activate-version.ts'
import { addVersion } from './add-version.ts'
import { keyAad } from './key-aad.ts'
import { lockInstallationKey } from './lock-installation-key.ts'
import type { SelfSignedKey } from './prepare-self-signed-key.ts'
import { listOwnVersions, storeBox } from './version-store.ts'

/** Stores it as the first version, or in the version whose private key was a file until now. Nothing when another process was first. Needs the system role. */
export async function storeSelfSignedKey(
  core: Pick<StorelessCore, 'database' | 'keys' | 'log'>,
  { key, file }: SelfSignedKey,
): Promise<void> {
  const version = await inTransaction(core.database, (sql) => store(sql, core, key))
  if (version === undefined) return
  const { fingerprint } = key.certificate
  if (file === undefined) core.log.info({ version, fingerprint }, 'signing_key.made')
  else core.log.info({ version, fingerprint, file }, 'signing_key.taken_over')
}

/** The version that has the key now; undefined when nothing was stored. */
async function store(
  sql: Sql,
  { keys }: Pick<StorelessCore, 'keys'>,
  { pem, certificate }: SelfSignedKey['key'],
): Promise<number | undefined> {
  const { id, state } = await lockInstallationKey(sql)
  const boxOf = (version: number) => keys.seal(pem, keyAad(id, version))
  const versions = await listOwnVersions(sql)
  const kept = versions.find(
    ({ kind, selfMade, fingerprint }) => kind === 'FILE' && selfMade && fingerprint === certificate.fingerprint,
  )
  if (kept) {
    await storeBox(sql, { keyId: id, version: kept.version, box: boxOf(kept.version) })
    return kept.version
  }
  // Never another key instead of the one that seals, also where that cannot be loaded.
  if (versions.some((each) => each.state === 'ACTIVE')) return undefined
  const version = await addVersion(sql, { id, state }, (number) => ({
    selfMade: true,
    request: null,
    opened: certificate,
    material: { kind: 'BOX' },
    box: boxOf(number),
  }))
  await replaceActiveVersion(sql, { keyId: id, version, request: null })
  return version
}
