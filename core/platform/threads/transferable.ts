// Memory that can be transferred to another thread. Small Buffers share a slab, which cannot be transferred, and cloning a part of it clones all.

export type TransferableBytes = Uint8Array<ArrayBuffer>

/** The bytes in memory of exactly their size that nothing else uses: unchanged when that is already so, else a copy. */
export function toTransferable(bytes: Uint8Array): TransferableBytes {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes)
}

/** Views the memory as a Buffer. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
