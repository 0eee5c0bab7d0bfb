// Reuses memory for one sealed file after the other. For a megabyte, allocating new pages costs as much as hashing the file.

/** Each thread keeps this much for the next file; larger files are rare and get memory of their own. */
const MAX_REUSED_BYTES = 8 * 1024 * 1024

/** Returns memory that the next call overwrites: the caller must finish one file before it starts another. */
export function newOutputBuffer(): (bytes: number) => Buffer {
  let memory = Buffer.alloc(0)
  return (bytes) => {
    if (bytes > MAX_REUSED_BYTES) return Buffer.allocUnsafeSlow(bytes)
    if (memory.length < bytes) memory = Buffer.allocUnsafeSlow(Math.min(MAX_REUSED_BYTES, bytes * 2))
    return memory.subarray(0, bytes)
  }
}
