// The conditional write to S3. The SHA-256 is sent twice: signed into the request, so that the bytes cannot be changed in transit, and as the
// object's checksum, which S3 checks and stores. Large objects go in parts, which are retried one by one.
import { Readable } from 'node:stream'
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { errnoOf } from '#core/platform/storage/storage-error.ts'
import type { PutOutcome } from '#core/platform/storage/object-store.ts'
import { withTries } from './s3-client.ts'
import { statusOf } from './s3-errors.ts'
import { putInParts } from './s3-multipart.ts'
import { objectExists, type PutRequest } from './object-exists.ts'
import type { UploadContent } from '#core/platform/storage/upload-content.ts'

const HUNG_UP = new Set(['ECONNRESET', 'EPIPE'])
/** Longer objects go in parts. */
const LONGEST_IN_ONE_BYTES = 16 * 1024 * 1024

/** Writes `content` unless the key is taken. When `stop` is aborted, sent parts are deleted and its reason is thrown. */
export async function putContent(
  client: S3Client,
  request: PutRequest,
  content: UploadContent,
  stop: AbortSignal,
): Promise<PutOutcome> {
  if (content.length <= LONGEST_IN_ONE_BYTES) return await withTries(() => putOnce(client, request, content))
  // Otherwise only the last request of many would find out.
  if (await withTries(() => objectExists(client, request))) return 'exists'
  return await putInParts(client, request, content, stop)
}

async function putOnce(client: S3Client, request: PutRequest, content: UploadContent): Promise<PutOutcome> {
  const body = content.body(0, content.length)
  const command = new PutObjectCommand({
    Bucket: request.bucket,
    Key: request.key,
    Body: body,
    ContentLength: content.length,
    ContentType: request.contentType,
    ChecksumSHA256: request.sha256.toString('base64'),
    IfNoneMatch: '*',
  })
  try {
    await client.send(command)
    return 'created'
  } catch (error) {
    // Also when an earlier attempt succeeded but its response was lost: the bytes are stored either way.
    if (statusOf(error) === 412) return 'exists'
    // A server that rejects early closes the connection during the body, and its response can get lost: then only HEAD shows that the key is taken.
    if (HUNG_UP.has(errnoOf(error) ?? '') && (await objectExists(client, request).catch(() => false))) return 'exists'
    throw error
  } finally {
    if (body instanceof Readable) body.destroy()
  }
}
