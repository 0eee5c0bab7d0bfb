// `keys/signing-root.pem` in the data folder: the roots with which others verify the seals of self-signed keys.
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Core } from '#core/context.ts'
import { readPemCertificates } from '#core/pades/certificate.ts'
import { toPemCertificate } from '#core/pades/signing-key.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import { ensureDirectory } from '#core/platform/storage/files/ensure-directory.ts'
import { inDataDir } from '#core/platform/storage/files/file-errors.ts'
import { listSelfSignedChains } from './certificate-store.ts'

/** Where it is. */
export function trustFileOf({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return path.join(path.resolve(dataDir, 'keys'), 'signing-root.pem')
}

/** Writes the root of every self-signed version, the oldest first, if the file has other content. Needs the system role. */
export async function writeTrustFile({ database, settings }: Pick<Core, 'database' | 'settings'>): Promise<void> {
  const chains = await listSelfSignedChains(database)
  const roots = chains.map(({ certificate, chain }) => readPemCertificates(chain).at(-1) ?? certificate)
  const text = [...new Set(roots.map(toPemCertificate))].join('')
  const file = trustFileOf(settings)
  const before = await readFile(file, 'utf8').catch(() => undefined)
  if (text === '' || before === text) return
  await inDataDir(async () => {
    await ensureDirectory(path.dirname(file))
    // Workers that share the folder may write it at the same time.
    const written = `${file}.${randomUUID()}`
    await writeFile(written, text)
    await rename(written, file)
  })
}
