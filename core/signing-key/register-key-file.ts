// Records the key file of the settings when a process starts to seal. A file with another key than the last one becomes the next version of the installation's
// own key.
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { replaceActiveVersion } from './activate-version.ts'
import { addVersion } from './add-version.ts'
import { isMarked } from './certificate-store.ts'
import { setFileFingerprint } from './key-store.ts'
import type { OpenedKey } from './loading/key-task.ts'
import { lockInstallationKey } from './lock-installation-key.ts'
import { findActiveVersion } from './version-store.ts'

const MARKED =
  'SEALWRIGHT_SIGNING_KEY_P12_FILE: the certificate is marked as compromised, so its seals would not be valid. Use another key.'

/** Announces the file's key if the last process had another file; the first key of the installation is active at once. Throws StartupError for a certificate that
 *  is marked as compromised. Needs the system role. */
export async function registerKeyFile(
  { database }: Pick<Core, 'database'>,
  { certificate }: Pick<OpenedKey, 'certificate'>,
): Promise<void> {
  await inTransaction(database, async (sql) => {
    const key = await lockInstallationKey(sql)
    const { fingerprint } = certificate
    if (key.fileFingerprint === fingerprint) return
    const active = await findActiveVersion(sql, key.id)
    await setFileFingerprint(sql, key.id, fingerprint)
    if (active?.fingerprint === fingerprint) return
    if (await isMarked(sql, fingerprint)) throw new StartupError('SIGNING_KEY', MARKED)
    const added = { selfMade: false, request: null, opened: certificate, material: { kind: 'FILE' } } as const
    const version = await addVersion(sql, key, () => added)
    if (!active) await replaceActiveVersion(sql, { keyId: key.id, version, request: null })
  })
}
