// Reads an object into existing memory: a new buffer each time would be garbage of twice its size.
import type { Readable } from 'node:stream'
import { StorageError } from './storage-error.ts'

/** Reads the stream into one buffer, which shares its memory with nothing. Throws as readIntoBuffer does. */
export async function readBuffer(opened: { stream: Readable; length: number }): Promise<Buffer> {
  const memory = Buffer.allocUnsafeSlow(opened.length)
  return memory.subarray(0, await readIntoBuffer(opened, memory))
}

/** Reads the stream to its end; returns the number of bytes. Throws StorageError `corrupt` when the memory is too small. */
export async function readIntoBuffer(
  { stream, length }: { stream: Readable; length: number },
  memory: Uint8Array,
): Promise<number> {
  let filled = 0
  if (length <= memory.length) {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      memory.set(chunk.subarray(0, memory.length - filled), filled)
      filled += chunk.length
    }
    if (filled <= memory.length) return filled
  }
  stream.destroy()
  throw new StorageError('corrupt', 'An object in the store is longer than what was stored.')
}
