// The conditional write to S3. The SHA-256 goes along twice: signed into the request, so that nobody on the way can change the bytes, and as the
// object's checksum, which S3 checks and keeps.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { ObjectAttributes, PutOutcome } from './object-store.ts'
import { isConnectionFault, statusOf } from './s3-fault.ts'

interface PutRequest extends ObjectAttributes {
  bucket: string
  key: string
}

/** Writes bytes unless the key is taken. */
export async function putBytes(client: S3Client, request: PutRequest, bytes: Uint8Array): Promise<PutOutcome> {
  return await putOnce(client, request, bytes, bytes.length)
}

/** Writes a file as a stream unless the key is taken. */
export async function putFile(client: S3Client, request: PutRequest, path: string): Promise<PutOutcome> {
  const { size } = await stat(path)
  const stream = createReadStream(path)
  try {
    return await putOnce(client, request, stream, size)
  } catch (error) {
    // A server that refuses early hangs up on the rest of the body, and its refusal can get lost: then only a look says that the key is taken.
    if (isConnectionFault(error) && (await exists(client, request))) return 'exists'
    throw error
  } finally {
    stream.destroy()
  }
}

async function putOnce(client: S3Client, request: PutRequest, body: Readable | Uint8Array, length: number): Promise<PutOutcome> {
  const command = new PutObjectCommand({
    Bucket: request.bucket,
    Key: request.key,
    Body: body,
    ContentLength: length,
    ContentType: request.contentType,
    ChecksumSHA256: request.sha256.toString('base64'),
    IfNoneMatch: '*',
  })
  command.middlewareStack.add(
    (next) => (call) => {
      if (hasHeaders(call.request)) call.request.headers['x-amz-content-sha256'] = request.sha256.toString('hex')
      return next(call)
    },
    { step: 'build', name: 'signPayload' },
  )
  try {
    await client.send(command)
    return 'created'
  } catch (error) {
    // Also after a try of ours that did succeed but whose answer was lost: the bytes are there either way.
    if (statusOf(error) === 412) return 'exists'
    throw error
  }
}

async function exists(client: S3Client, { bucket, key }: PutRequest): Promise<boolean> {
  return await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })).then(
    () => true,
    () => false,
  )
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request && typeof request.headers === 'object'
}
