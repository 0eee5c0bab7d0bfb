// A file that is created once and kept: secrets that the first start generates.
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Returns the content of the file, created by `make` when it is missing: written atomically and synced before it is used. */
export async function loadOrCreateFile(file: string, make: () => Promise<string>): Promise<string> {
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
