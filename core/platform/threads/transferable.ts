// Memory that can be given to another thread. Small Buffers share a slab with others: it cannot be given away, and whoever clones a part of it clones all.

export type TransferableBytes = Uint8Array<ArrayBuffer>

/** The bytes in memory that is theirs alone and no larger: as they are where that is so, else a copy. */
export function toTransferable(bytes: Uint8Array): TransferableBytes {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? new Uint8Array(buffer) : new Uint8Array(bytes)
}

/** The same memory as a Buffer. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
