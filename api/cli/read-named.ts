// Reads the file of an argument and explains why it cannot be read.
import { readFile } from 'node:fs/promises'
import { errnoOf } from '#core/platform/storage/storage-error.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

const WORDS: Partial<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
}

/** The bytes of the file. Throws an error that names it. */
export async function readNamed(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const errno = errnoOf(error) ?? String(error)
    throw new Error(`${toVisibleLine(file)} cannot be read: ${WORDS[errno] ?? errno}.`, { cause: error })
  }
}
