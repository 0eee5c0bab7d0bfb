// Writes the content of a part to disk.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { DomainError } from '#core/platform/errors/domain-error.ts'

export interface WrittenPart {
  sizeBytes: number
  sha256: Buffer
}

/** Writes until the part ends. Throws DOCUMENT_TOO_LARGE at the first byte above the limit. */
export async function writePart(stream: Readable, filePath: string, maxBytes: number): Promise<WrittenPart> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  await using file = await open(filePath, 'wx', 0o600)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw documentTooLarge(maxBytes)
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  return { sizeBytes, sha256: hash.digest() }
}

export function documentTooLarge(maxBytes: number): DomainError {
  return new DomainError('DOCUMENT_TOO_LARGE', { message: `The document is larger than ${maxBytes} bytes.` })
}
