// The parts of a large object, each with its SHA-256. All are hashed before the first is sent: S3 checks each part, but of the whole it keeps only a
// checksum of checksums, so we verify the whole.
import { createHash } from 'node:crypto'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import type { UploadContent } from '#core/platform/storage/upload-content.ts'

/** S3 accepts parts of 5 MB to 5 GB (the last may be smaller), and 10,000 of them. */
const PART_BYTES = 8 * 1024 * 1024

export interface Part {
  /** From 1. */
  number: number
  start: number
  /** Not included. */
  end: number
  sha256: Buffer
}

/** Cuts `content` into parts, at least one. Throws StorageError `corrupt` when the whole does not have the SHA-256. */
export async function cutIntoParts(content: UploadContent, sha256: Buffer): Promise<Part[]> {
  const whole = createHash('sha256')
  const parts: Part[] = []
  let start = 0
  do {
    const end = Math.min(start + PART_BYTES, content.length)
    const own = createHash('sha256')
    for await (const piece of content.pieces(start, end)) {
      whole.update(piece)
      own.update(piece)
    }
    parts.push({ number: parts.length + 1, start, end, sha256: own.digest() })
    start = end
  } while (start < content.length)
  if (whole.digest().equals(sha256)) return parts
  throw new StorageError('corrupt', 'The content of an object does not match its SHA-256.')
}
