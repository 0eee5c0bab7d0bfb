// The content of an upload, from memory or disk, for requests that each carry a part of it. It is never copied whole into memory.
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setImmediate as afterOthers } from 'node:timers/promises'

const PIECE_BYTES = 256 * 1024

/** Bytes that do not change while they are stored. Both methods return those from `start` up to, not including, `end`. */
export interface UploadContent {
  /** Length in bytes. */
  length: number
  /** Returns the bytes as the body of one request. The caller destroys a stream. */
  body(start: number, end: number): Readable | Uint8Array
  /** Yields the bytes in pieces; each is valid until the next is requested. */
  pieces(start: number, end: number): AsyncIterable<Uint8Array>
}

export function contentOfBytes(bytes: Uint8Array): UploadContent {
  return {
    length: bytes.length,
    body: (start, end) => bytes.subarray(start, end),
    async *pieces(start, end) {
      for (let at = start; at < end; at += PIECE_BYTES) {
        yield bytes.subarray(at, Math.min(at + PIECE_BYTES, end))
        // Reading from memory never waits, so hashing 50 MB would block this thread's other work.
        await afterOthers()
      }
    },
  }
}

/** The file's length is read once. Throws errors of the file system. */
export async function contentOfFile(path: string): Promise<UploadContent> {
  const { size } = await stat(path)
  return {
    length: size,
    // NOTE: the stream's own `end` is inclusive and cannot express an empty range.
    body: (start, end) => (start === end ? new Uint8Array() : createReadStream(path, { start, end: end - 1 })),
    pieces: (start, end) => readPieces(path, start, end),
  }
}

/** Into one buffer: a stream would allocate as much garbage as the file is long. */
async function* readPieces(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
  await using file = await open(path)
  for (let at = start; at < end;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE_BYTES, end - at), at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
