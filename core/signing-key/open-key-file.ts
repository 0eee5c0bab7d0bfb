// Opens the key file of this process: the PKCS#12 file that the settings name, or the self-made key of the first start.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writePemKey } from '#core/pades/signing-key.ts'
import { loadOrCreateFile } from '#core/platform/config/load-or-create-file.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import { StartupError } from '#core/platform/process/startup-error.ts'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import type { KeyOpener } from './loading/key-opener.ts'
import type { FoundKey, OpenedKey } from './loading/key-task.ts'
import { makeKey } from './make-key.ts'
import { trustFileOf } from './trust-file.ts'

export interface OpenedKeyFile {
  key: OpenedKey
  selfMade: boolean
  /** One line for the operator. */
  line: string
}

/** Opens the key on the key thread. Throws StartupError when it cannot seal at `now`. */
export async function openKeyFile(settings: Settings, opener: KeyOpener, now: Date): Promise<OpenedKeyFile> {
  const { signingKeyP12File, signingKeyP12Password } = settings
  if (!signingKeyP12File) return openSelfMadeKey(settings, opener, now)
  const bytes = await readFile(signingKeyP12File).catch((cause: Error) => {
    throw new StartupError('SIGNING_KEY', `SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ${cause.message}.`, cause)
  })
  const found: FoundKey = { kind: 'P12', bytes, password: signingKeyP12Password?.reveal() ?? '' }
  const key = await openFrom('SEALWRIGHT_SIGNING_KEY_P12_FILE or _PASSWORD', opener, found, now)
  return { key, selfMade: false, line: 'signing key: from SEALWRIGHT_SIGNING_KEY_P12_FILE' }
}

async function openSelfMadeKey(settings: Settings, opener: KeyOpener, now: Date): Promise<OpenedKeyFile> {
  const folder = path.resolve(settings.dataDir, 'keys')
  const file = path.join(folder, 'signing-key.pem')
  const text = await inDataDir(async () => {
    await ensureDirectory(folder)
    return await loadOrCreateFile(file, async () => writePemKey(await makeKey({ now })))
  })
  const key = await openFrom(file, opener, { kind: 'PEM', text }, now)
  const line = `signing key: SELF-SIGNED, not trusted by PDF readers; root certificate: ${trustFileOf(settings)}`
  return { key, selfMade: true, line }
}

async function openFrom(source: string, opener: KeyOpener, found: FoundKey, now: Date): Promise<OpenedKey> {
  const answer = await opener.open(found, now)
  if (!answer.ok) throw new StartupError('SIGNING_KEY', `${source}: ${answer.message}`)
  return answer.key
}
