// Large objects in parts: a broken connection costs one part, and memory does not grow with the object. The object appears with the last request,
// which carries the condition. A failed upload is aborted; what a dead process leaves is swept (abort-stale-uploads.ts).
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { PutOutcome } from '#core/platform/storage/object-store.ts'
import { withTries } from './s3-client.ts'
import { statusOf } from './s3-errors.ts'
import { cutIntoParts, type Part } from './s3-parts.ts'
import { objectExists, type PutRequest } from './object-exists.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import type { UploadContent } from '#core/platform/storage/upload-content.ts'

/** Two fill a connection while one of them waits for its response. */
const PARTS_AT_ONCE = 2
/** The object's SHA-256 in hex, in its metadata: readers verify the whole object with it (s3-read.ts). */
export const SHA256_METADATA = 'sha256'

interface Upload {
  Bucket: string
  Key: string
  UploadId: string
}

/** Writes `content` unless the key is taken. When `stop` is aborted, the parts are deleted and its reason is thrown. */
export async function putInParts(
  client: S3Client,
  request: PutRequest,
  content: UploadContent,
  stop: AbortSignal,
): Promise<PutOutcome> {
  const parts = await cutIntoParts(content, request.sha256)
  const upload = await begin(client, request, stop)
  let outcome: PutOutcome | undefined
  try {
    const sent = await sendParts(client, upload, content, parts, stop)
    outcome = await complete(client, request, upload, sent, stop)
    return outcome
  } finally {
    if (outcome !== 'created') await abortUpload(client, upload)
  }
}

async function begin(client: S3Client, { bucket, key, contentType, sha256 }: PutRequest, stop: AbortSignal): Promise<Upload> {
  const command = new CreateMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    ContentType: contentType,
    ChecksumAlgorithm: 'SHA256',
    Metadata: { [SHA256_METADATA]: sha256.toString('hex') },
  })
  const { UploadId } = await withTries(() => client.send(command), stop)
  if (UploadId === undefined) throw new StorageError('failed', 'S3 started a multipart upload without an ID.')
  return { Bucket: bucket, Key: key, UploadId }
}

/** Throws the first error once no part is being sent any more: a part that arrives after the abort of its upload would stay. */
async function sendParts(
  client: S3Client,
  upload: Upload,
  content: UploadContent,
  parts: readonly Part[],
  stop: AbortSignal,
): Promise<CompletedPart[]> {
  const failed = new AbortController()
  const signal = AbortSignal.any([stop, failed.signal])
  const sent: CompletedPart[] = []
  const waiting = parts.values()
  const sendNext = async (): Promise<void> => {
    try {
      for (const part of waiting) sent.push(await withTries(() => sendPart(client, upload, content, part, stop), signal))
    } catch (error) {
      failed.abort(error)
    }
  }
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, sendNext))
  signal.throwIfAborted()
  return sent.sort((left, right) => (left.PartNumber ?? 0) - (right.PartNumber ?? 0))
}

async function sendPart(
  client: S3Client,
  upload: Upload,
  content: UploadContent,
  { number, start, end, sha256 }: Part,
  stop: AbortSignal,
): Promise<CompletedPart> {
  const body = content.body(start, end)
  const ChecksumSHA256 = sha256.toString('base64')
  try {
    const { ETag } = await client.send(
      new UploadPartCommand({ ...upload, PartNumber: number, Body: body, ContentLength: end - start, ChecksumSHA256 }),
      { abortSignal: stop },
    )
    return { PartNumber: number, ETag, ChecksumSHA256 }
  } finally {
    if (body instanceof Readable) body.destroy()
  }
}

async function complete(
  client: S3Client,
  request: PutRequest,
  upload: Upload,
  sent: CompletedPart[],
  stop: AbortSignal,
): Promise<PutOutcome> {
  const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: sent }, IfNoneMatch: '*' })
  try {
    await withTries(() => client.send(command, { abortSignal: stop }), stop)
    return 'created'
  } catch (error) {
    stop.throwIfAborted()
    if (statusOf(error) === 412) return 'exists'
    // An earlier attempt may have succeeded although its response was lost: then the upload is gone (404), or all further responses were lost as
    // well.
    if (await withTries(() => objectExists(client, request), stop)) return 'exists'
    throw error
  }
}

/** Best effort: the earlier error matters, and the sweep deletes what stays. */
async function abortUpload(client: S3Client, upload: Upload): Promise<void> {
  const command = new AbortMultipartUploadCommand(upload)
  await withTries(() => client.send(command)).catch(() => {})
}
