// Records the key file of a process that starts to seal. A file with another key than the last one becomes the next version of the installation's own key.
import { randomUUID } from 'node:crypto'
import type { Core } from '#core/context.ts'
import { signingCertificateEnd } from '#core/platform/metrics/metrics.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { replaceActiveVersion } from './activate-version.ts'
import { addVersion } from './add-version.ts'
import { insertKey, type KeyRow, lockKey, setFileFingerprint } from './key-store.ts'
import type { OpenedKey } from './loading/key-task.ts'
import { findActiveVersion } from './version-store.ts'

/** Announces the file's key if the last process had another file; the first key of the installation is active at once. Needs the system role. */
export async function registerKeyFile(
  { database }: Pick<Core, 'database'>,
  { key: { certificate }, selfMade }: { key: Pick<OpenedKey, 'certificate'>; selfMade: boolean },
): Promise<void> {
  signingCertificateEnd.set(certificate.notAfter.getTime() / 1000)
  await inTransaction(database, async (sql) => {
    const key = await lockInstallationKey(sql)
    const { fingerprint } = certificate
    if (key.fileFingerprint === fingerprint) return
    const active = await findActiveVersion(sql, key.id)
    await setFileFingerprint(sql, key.id, fingerprint)
    if (active?.fingerprint === fingerprint) return
    const added = { selfMade, request: null, opened: certificate, material: { kind: 'FILE' } } as const
    const version = await addVersion(sql, key, () => added)
    if (!active) await replaceActiveVersion(sql, { keyId: key.id, version, request: null })
  })
}

async function lockInstallationKey(sql: Sql): Promise<KeyRow> {
  await insertKey(sql, { id: randomUUID(), orgId: null, origin: 'API', providerType: 'INSTALLATION', state: 'ACTIVE' })
  const key = await lockKey(sql, 'installation')
  if (!key) throw new Error('The installation key was not recorded.')
  return key
}
