// Secrets that the embedded run creates once: the installation key, and the first organisation's credential.
import { randomBytes } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadOrCreateFile } from '#core/platform/config/load-or-create-file.ts'
import { readInstallationKey } from '#core/platform/crypto/installation-keys.ts'
import { INSTALLATION_KEY_BYTES } from '#core/platform/crypto/key-set.ts'
import { z } from 'zod'
import type { DataFolder } from './data-folder.ts'

/** 32 random bytes; this folder's database and links depend on them. */
export async function loadOrCreateInstallationKey(folder: DataFolder): Promise<Buffer> {
  const file = path.join(folder.keys, 'installation.key')
  return readInstallationKey(
    await loadOrCreateFile(file, async () => randomBytes(INSTALLATION_KEY_BYTES).toString('base64')),
    file,
  )
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

/** Passwords and the first organisation, created by an earlier start. */
export async function loadOrCreateIdentity(folder: DataFolder): Promise<Identity> {
  const text = await loadOrCreateFile(folder.identity, async () =>
    JSON.stringify({
      postgresPassword: randomBytes(24).toString('base64url'),
      adminEmail: 'admin@example.test',
      adminPassword: randomBytes(12).toString('base64url'),
    } satisfies Identity),
  )
  return Identity.parse(JSON.parse(text))
}

/** Adds what this start created; on disk when it resolves. */
export async function saveIdentity(folder: DataFolder, identity: Identity): Promise<void> {
  await writeFile(`${folder.identity}.new`, JSON.stringify(identity), { mode: 0o600, flush: true })
  await rename(`${folder.identity}.new`, folder.identity)
}
