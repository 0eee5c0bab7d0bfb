// The bytes of a document: a buffer, or a file of which only small blocks are in memory. Deliberately synchronous: the reader follows
// offsets from object to object on a thread that has no other work.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface ByteSource {
  readonly length: number
  /** The bytes in [start, end), cut to what exists. The caller may keep them but must not write to them. */
  read(start: number, end: number): Buffer
}

const BLOCK_BYTES = 64 * 1024
const MAX_CACHED_BLOCKS = 32

/** A source over bytes in memory; `read` returns views of them. */
export function bufferSource(bytes: Buffer): ByteSource {
  return {
    length: bytes.length,
    read: (start, end) => bytes.subarray(clamp(start, bytes.length), clamp(end, bytes.length)),
  }
}

/**
 * A source over a file, open until disposed. Small reads use a cache of the last 2 MiB of blocks; larger ones read the file directly.
 * Throws a plain Error when the file can't be read or has become shorter.
 */
export function openFileSource(path: string): ByteSource & Disposable {
  const descriptor = openSync(path, 'r')
  const length = fstatSync(descriptor).size
  const blocks = new Map<number, Buffer>()

  function block(index: number): Buffer {
    let bytes = blocks.get(index)
    if (bytes === undefined) {
      const start = index * BLOCK_BYTES
      bytes = readFully(descriptor, start, Math.min(start + BLOCK_BYTES, length))
      for (const oldest of blocks.keys()) {
        if (blocks.size < MAX_CACHED_BLOCKS) break
        blocks.delete(oldest)
      }
    } else {
      blocks.delete(index)
    }
    blocks.set(index, bytes)
    return bytes
  }

  return {
    length,
    read(start, end) {
      const from = clamp(start, length)
      const to = clamp(end, length)
      if (to <= from) return Buffer.alloc(0)
      if (to - from > BLOCK_BYTES) return readFully(descriptor, from, to)
      // A copy, so that a value does not keep the whole block in memory.
      const bytes = Buffer.allocUnsafe(to - from)
      for (let at = from; at < to;) {
        at += block(Math.floor(at / BLOCK_BYTES)).copy(bytes, at - from, at % BLOCK_BYTES)
      }
      return bytes
    },
    [Symbol.dispose]() {
      closeSync(descriptor)
    },
  }
}

function readFully(descriptor: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start)
  for (let filled = 0; filled < bytes.length;) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled)
    if (count === 0) throw new Error('the file became shorter while it was read')
    filled += count
  }
  return bytes
}

function clamp(position: number, length: number): number {
  return Math.max(0, Math.min(position, length))
}
