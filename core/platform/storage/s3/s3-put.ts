// The conditional write to S3. The SHA-256 goes along twice: signed into the request, so that nobody on the way can change the bytes, and as the
// object's checksum, which S3 checks and keeps. What is large goes in parts, of which each that fails is sent again alone.
import { Readable } from 'node:stream'
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { errnoOf } from '#core/platform/storage/errno.ts'
import type { PutOutcome } from '#core/platform/storage/object-store.ts'
import { withTries } from './s3-client.ts'
import { statusOf } from './s3-errors.ts'
import { putInParts } from './s3-multipart.ts'
import { objectExists, type PutRequest } from './object-exists.ts'
import type { UploadContent } from '#core/platform/storage/upload-content.ts'

const HUNG_UP = new Set(['ECONNRESET', 'EPIPE'])
/** What is longer goes in parts. */
const LONGEST_IN_ONE_BYTES = 16 * 1024 * 1024

/** Writes `content` unless the key is taken. When `stop` is aborted, what has gone in parts is taken back and its reason thrown. */
export async function putContent(
  client: S3Client,
  request: PutRequest,
  content: UploadContent,
  stop: AbortSignal,
): Promise<PutOutcome> {
  if (content.length <= LONGEST_IN_ONE_BYTES) return await withTries(() => putOnce(client, request, content))
  // Only the last request of many would say so.
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
    // Also after a try of ours that did succeed but whose answer was lost: the bytes are there either way.
    if (statusOf(error) === 412) return 'exists'
    // A server that refuses early hangs up on the rest of the body, and its refusal can get lost: then only a look says that the key is taken.
    if (HUNG_UP.has(errnoOf(error) ?? '') && (await objectExists(client, request).catch(() => false))) return 'exists'
    throw error
  } finally {
    if (body instanceof Readable) body.destroy()
  }
}
