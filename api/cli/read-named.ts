// A file that an argument names. What the system says of one that cannot be read is put in words.
import { readFile } from 'node:fs/promises'
import { errnoOf } from '#core/platform/storage/storage-error.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'

const WORDS: Partial<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
}

/** The bytes. Throws one sentence with the name. */
export async function readNamed(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const errno = errnoOf(error) ?? String(error)
    throw new Error(`${toVisibleLine(file)} cannot be read: ${WORDS[errno] ?? errno}.`, { cause: error })
  }
}
