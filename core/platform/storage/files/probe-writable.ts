import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describingErrors } from './file-errors.ts'

/** Enough to fail on a disk without room for an upload. */
const BYTES = 64 * 1024

/** Throws a StorageError, one sentence that names the setting, when this folder below SEALWRIGHT_DATA_DIR is not writable. */
export async function probeWritable(folder: string): Promise<void> {
  const file = path.join(folder, `check-${randomUUID()}`)
  try {
    await describingErrors(() => writeFile(file, Buffer.alloc(BYTES)))
  } finally {
    await rm(file, { force: true })
  }
}
