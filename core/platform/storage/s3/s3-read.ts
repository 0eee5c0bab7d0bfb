// Reads from S3. A whole object is verified with its SHA-256: for single uploads S3 stores it and the SDK compares; for multipart uploads S3 has
// none, and we compare with our own in the object's metadata.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { assertByteRange, type ByteRange } from '#core/platform/storage/object-store.ts'
import { SHA256_METADATA } from './s3-multipart.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

/** The object or a part of it. A stream of the whole fails at its end when the bytes are not those that were stored. */
export async function getObject(
  client: S3Client,
  bucket: string,
  key: string,
  range: ByteRange | undefined,
): Promise<{ stream: Readable; length: number }> {
  if (range) assertByteRange(range)
  const part = range ? { Range: `bytes=${range.start}-${range.end - 1}` } : { ChecksumMode: 'ENABLED' as const }
  const answer = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...part }))
  const { Body: stream, ContentLength: length, Metadata: metadata } = answer
  if (!(stream instanceof Readable) || length === undefined)
    throw new StorageError('failed', 'S3 responded without a body or its length.')
  const sha256 = range ? undefined : metadata?.[SHA256_METADATA]
  return { stream: sha256 === undefined ? stream : Readable.from(checked(stream, sha256), { objectMode: false }), length }
}

async function* checked(stream: Readable, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new StorageError('corrupt', 'The content of an object in S3 is not what was stored.')
}
