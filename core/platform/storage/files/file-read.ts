// Reads one stored file: opened and measured first, so that a missing object is known before a response begins.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { assertByteRange, type ByteRange } from '#core/platform/storage/object-store.ts'
import { errnoOf, StorageError } from '#core/platform/storage/storage-error.ts'

/** A key that is another key's folder is no object; the system reports it as EISDIR or ENOTDIR. */
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])
const HASH_CHUNK_BYTES = 256 * 1024

/** Opens the object's file, or returns undefined when there is none. The caller closes it. */
export async function openFile(path: string): Promise<FileHandle | undefined> {
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch (error) {
    if (NOT_THERE.has(errnoOf(error) ?? '')) return undefined
    throw error
  }
  if ((await file.stat()).isFile()) return file
  await file.close()
  return undefined
}

/** The file or a part of it as a stream, with its number of bytes. Throws StorageError `missing` or `range`. */
export async function streamFile(
  key: string,
  path: string,
  range: ByteRange | undefined,
): Promise<{ stream: Readable; length: number }> {
  if (range) assertByteRange(range)
  const file = await openFile(path)
  if (!file) throw new StorageError('missing', `There is no object ${key}.`)
  try {
    const { size } = await file.stat()
    const { start, end } = range ?? { start: 0, end: size }
    if (range && start >= size) throw new StorageError('range', `Bytes ${start} to ${end} are not in object ${key}.`)
    const length = Math.min(end, size) - start
    // NOTE: the stream's own `end` is inclusive and cannot express an empty range.
    return { stream: file.createReadStream(length > 0 ? { start, end: start + length - 1 } : { start: 0, end: 0 }), length }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** SHA-256 of a file, read in pieces into one buffer: a stream would allocate as much garbage as the file is long. */
export async function digestFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafeSlow(HASH_CHUNK_BYTES)
  await using file = await open(path)
  for (;;) {
    const { bytesRead } = await file.read(buffer)
    if (bytesRead === 0) return hash.digest()
    hash.update(buffer.subarray(0, bytesRead))
  }
}
