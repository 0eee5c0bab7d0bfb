// A file that is made once and kept: secrets that a first start makes up.
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The content of a file, made by `make` when it is not there: whole or not at all, on disk before anything depends on it. */
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
