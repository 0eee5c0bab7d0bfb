// The key that seals, as the settings name it: a PKCS#12 file, or one that the first start made for itself.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { keepFile } from '#core/config/keep-file.ts'
import type { Settings } from '#core/config/settings.ts'
import { openPemKey, type SigningKey, toPemCertificate, writePemKey } from './signing-key.ts'

export interface OpenedSigningKey {
  key: SigningKey
  origin: 'SELF_MADE' | 'IMPORTED'
  /** What a person is told of it. */
  line: string
}

/** Opens the key. Throws one sentence when the given one cannot seal at `now`. */
export async function openSigningKey(settings: Settings, now: Date): Promise<OpenedSigningKey> {
  const { signingKeyP12File, signingKeyP12Password } = settings
  if (!signingKeyP12File) return openSelfMadeKey(path.resolve(settings.dataDir, 'keys'), now)
  const bytes = await readFile(signingKeyP12File).catch((cause: Error) => {
    throw new Error(`SEALWRIGHT_SIGNING_KEY_P12_FILE cannot be read: ${cause.message}`, { cause })
  })
  const { openP12 } = await import('./open-p12.ts')
  const { key } = openP12(bytes, signingKeyP12Password?.reveal() ?? '', now)
  return { key, origin: 'IMPORTED', line: 'signing key: from SEALWRIGHT_SIGNING_KEY_P12_FILE' }
}

/** Beside the key lies `signing-root.pem`, with which others can check what it sealed. */
async function openSelfMadeKey(folder: string, now: Date): Promise<OpenedSigningKey> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pem = await keepFile(path.join(folder, 'signing-key.pem'), async () => {
    const { newSelfMadeKey } = await import('./self-made-key.ts')
    return writePemKey(await newSelfMadeKey({ commonName: 'Sealwright self-made seal', organisation: 'Sealwright', now }))
  })
  const { key } = openPemKey(pem, now)
  const root = path.join(folder, 'signing-root.pem')
  await writeFile(root, toPemCertificate(key.chain.at(-1) ?? key.certificate))
  return { key, origin: 'SELF_MADE', line: `signing key: SELF-MADE, trusted by nobody; its root is ${root}` }
}
