// Opens the signing key that the settings name: a PKCS#12 file, or the self-made key of the first start.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadOrCreateFile } from '#core/platform/config/load-or-create-file.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import { StartupError } from '#core/platform/process/startup-error.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import { openPemKey, type SigningKey, SigningKeyError, toPemCertificate, writePemKey } from '#core/pades/signing-key.ts'

export interface OpenedSigningKey {
  key: SigningKey
  origin: 'SELF_MADE' | 'IMPORTED'
  /** One line for the operator. */
  line: string
}

/** Opens the key. Throws StartupError when it cannot seal at `now`. */
export async function openSigningKey(settings: Settings, now: Date): Promise<OpenedSigningKey> {
  const { signingKeyP12File, signingKeyP12Password } = settings
  if (!signingKeyP12File) return openSelfMadeKey(path.resolve(settings.dataDir, 'keys'), now)
  const bytes = await readFile(signingKeyP12File).catch((cause: Error) => {
    throw new StartupError('SIGNING_KEY', `SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ${cause.message}.`, cause)
  })
  const { openP12 } = await import('#core/pades/open-p12.ts')
  const key = openFrom('SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD', () =>
    openP12(bytes, signingKeyP12Password?.reveal() ?? '', now),
  )
  return { key, origin: 'IMPORTED', line: 'signing key: from SEALWRIGHT_SIGNING_KEY_P12_FILE' }
}

function openFrom(source: string, open: () => { key: SigningKey }): SigningKey {
  try {
    return open().key
  } catch (error) {
    if (!(error instanceof SigningKeyError)) throw error
    throw new StartupError('SIGNING_KEY', `${source}: ${error.message}`, error)
  }
}

/** Writes `signing-root.pem` next to the key, with which others can verify its seals. */
async function openSelfMadeKey(folder: string, now: Date): Promise<OpenedSigningKey> {
  const file = path.join(folder, 'signing-key.pem')
  const pem = await inDataDir(async () => {
    await ensureDirectory(folder)
    return await loadOrCreateFile(file, async () => {
      const { newSelfMadeKey } = await import('#core/pades/self-made-key.ts')
      return writePemKey(await newSelfMadeKey({ commonName: 'Sealwright self-made seal', organisation: 'Sealwright', now }))
    })
  })
  const key = openFrom(file, () => openPemKey(pem, now))
  const root = path.join(folder, 'signing-root.pem')
  await inDataDir(() => writeFile(root, toPemCertificate(key.chain.at(-1) ?? key.certificate)))
  return { key, origin: 'SELF_MADE', line: `signing key: SELF-SIGNED, not trusted by PDF readers; root certificate: ${root}` }
}
