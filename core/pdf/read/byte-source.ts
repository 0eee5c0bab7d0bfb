// Where the bytes of a document come from: a buffer, or a file of which only small blocks are held in memory. Synchronous on
// purpose: the reader follows offsets from object to object, in a worker thread that has nothing else to do.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface ByteSource {
  readonly length: number
  /** The bytes from `start` to before `end`, cut to what exists. The caller may keep them but must not write to them. */
  read(start: number, end: number): Buffer
}

const BLOCK_BYTES = 64 * 1024
const BLOCKS_KEPT = 32

/** A source over bytes that are in memory already; `read` answers views of them. */
export function bufferSource(bytes: Buffer): ByteSource {
  return {
    length: bytes.length,
    read: (start, end) => bytes.subarray(clamp(start, bytes.length), clamp(end, bytes.length)),
  }
}

/**
 * A source over a file, held open until disposed. Small reads go through the 2 MiB of blocks used last; larger ones go straight
 * to the file. Throws a plain Error when the file can't be read or shrinks meanwhile.
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
        if (blocks.size < BLOCKS_KEPT) break
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
      // A copy, so that a kept value does not keep the whole block.
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
