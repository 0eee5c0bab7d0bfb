// What the embedded run makes up once and keeps: the installation key, the signing key, the first organisation with its credential.
import { randomBytes } from 'node:crypto'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { INSTALLATION_KEY_BYTES } from '#core/crypto/installation-keys.ts'
import { openPemKey, type SigningKey, toPemCertificate, writePemKey } from '#core/seal/signing-key.ts'
import { z } from 'zod'
import type { DataFolder } from './data-folder.ts'

/** The content of a file, made by `make` when it is not there: whole or not at all, on disk before anything depends on it. */
async function keepFile(file: string, make: () => Promise<string>): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (kept !== undefined) return kept
  const made = await make()
  await writeFile(`${file}.new`, made, { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
  await using folder = await open(path.dirname(file))
  await folder.sync()
  return made
}

/** 32 random bytes; the database and the links of this data folder depend on them. */
export async function keepInstallationKey(folder: DataFolder): Promise<Buffer> {
  const text = await keepFile(path.join(folder.keys, 'installation.key'), async () =>
    randomBytes(INSTALLATION_KEY_BYTES).toString('base64'),
  )
  return Buffer.from(text, 'base64')
}

/** The self-made signing key; beside it `signing-root.pem`, with which others can check what it sealed. */
export async function keepSelfMadeKey(folder: DataFolder, now: Date): Promise<SigningKey> {
  const pem = await keepFile(path.join(folder.keys, 'signing-key.pem'), async () => {
    const { newSelfMadeKey } = await import('#core/seal/self-made-key.ts')
    return writePemKey(await newSelfMadeKey({ commonName: 'Sealwright self-made seal', organisation: 'Sealwright', now }))
  })
  const { key } = openPemKey(pem, now)
  const root = key.chain.at(-1) ?? key.certificate
  await writeFile(path.join(folder.keys, 'signing-root.pem'), toPemCertificate(root))
  return key
}

const Identity = z.object({
  postgresPassword: z.string(),
  adminEmail: z.string(),
  adminPassword: z.string(),
  organisation: z
    .object({ orgId: z.string(), generalWorkspaceId: z.string(), clientId: z.string(), clientSecret: z.string() })
    .optional(),
})
export type Identity = z.infer<typeof Identity>

/** Passwords and the first organisation, as an earlier start left them. */
export async function keepIdentity(folder: DataFolder): Promise<Identity> {
  const text = await keepFile(folder.identity, async () =>
    JSON.stringify({
      postgresPassword: randomBytes(24).toString('base64url'),
      adminEmail: 'admin@example.test',
      adminPassword: randomBytes(12).toString('base64url'),
    } satisfies Identity),
  )
  return Identity.parse(JSON.parse(text))
}

/** Adds what a start has made; on disk when it resolves. */
export async function saveIdentity(folder: DataFolder, identity: Identity): Promise<void> {
  await writeFile(`${folder.identity}.new`, JSON.stringify(identity), { mode: 0o600, flush: true })
  await rename(`${folder.identity}.new`, folder.identity)
}
