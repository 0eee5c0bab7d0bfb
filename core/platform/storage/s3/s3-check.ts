// The S3 store's check at start: tries each feature that the store relies on. A store that ignores If-None-Match would let a second writer replace a
// document.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ObjectAttributes, ObjectStore } from '#core/platform/storage/object-store.ts'
import { describingS3Errors } from './s3-errors.ts'
import { putInParts } from './s3-multipart.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'
import { contentOfBytes } from '#core/platform/storage/upload-content.ts'

/** Used by this check alone. */
const PREFIX = 'checks/'
const END_OF_TIME = new Date(8.64e15)
/** Presigned URLs carry our time; S3 rejects requests whose time is off by 15 minutes. */
const SKEW_AT_MOST_MS = 60_000

/** Writes, overwrites at once and in parts, reads, lists, removes and misses an object. Throws StorageError. */
export async function checkBucket(store: ObjectStore, client: S3Client, bucket: string): Promise<void> {
  const key = PREFIX + randomUUID()
  try {
    await checkWriting(store, key)
    await checkWritingInParts(client, { bucket, key })
    await namingRight('list objects (s3:ListBucket)', () => firstOf(store.list(key, END_OF_TIME)))
  } catch (error) {
    // The earlier error matters, not the leftover probe.
    await store.delete(key).catch(() => {})
    throw error
  }
  await namingRight('delete objects (s3:DeleteObject)', () => store.delete(key))
  // Without the right to list, S3 answers "forbidden" for a missing object.
  await namingRight('check whether an object exists (s3:ListBucket)', () => store.stat(key))
  // Normally no upload is left; without the right to abort uploads one is, and the error shows here.
  const rights = 'list and abort multipart uploads (s3:ListBucketMultipartUploads, s3:AbortMultipartUpload)'
  await namingRight(rights, () => store.dropUnfinished(key, END_OF_TIME))
  checkClock(client)
}

async function checkWriting(store: ObjectStore, key: string): Promise<void> {
  const [bytes, others] = [randomBytes(32), randomBytes(32)]
  await namingRight('write objects (s3:PutObject)', () => store.put(key, bytes, attributesOf(bytes)))
  const second = await store.put(key, others, attributesOf(others))
  const isKept = async () => bytes.equals(await namingRight('read objects (s3:GetObject)', () => store.read(key)))
  if (second !== 'exists' || !(await isKept())) throw overwrites('objects')
}

/** Writes to an existing key, so that the last request is rejected and the parts have to be deleted. */
async function checkWritingInParts(client: S3Client, place: { bucket: string; key: string }): Promise<void> {
  const bytes = randomBytes(32)
  const request = { ...place, ...attributesOf(bytes) }
  const outcome = await describingS3Errors(() => putInParts(client, request, contentOfBytes(bytes), new AbortController().signal))
  if (outcome !== 'exists') throw overwrites('objects in multipart uploads')
}

function overwrites(what: string): StorageError {
  return new StorageError(
    'failed',
    `The server at SEALWRIGHT_S3_ENDPOINT overwrites ${what} despite If-None-Match; use a version that supports it.`,
  )
}

function checkClock(client: S3Client): void {
  // The SDK corrects a wrong clock for its own requests, and URLs carry the database's time; but certificate checks and log lines use this clock.
  const skewMs = Math.abs(client.config.systemClockOffset)
  if (skewMs <= SKEW_AT_MOST_MS) return
  const minutes = Math.round(skewMs / 60_000)
  throw new StorageError(
    'failed',
    `The clocks of this machine and of SEALWRIGHT_S3_ENDPOINT differ by ${minutes} minutes; synchronise both with NTP.`,
  )
}

/** Names the right that S3 misses. A wrong key or secret has its own error. */
async function namingRight<Result>(what: string, operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation()
  } catch (error) {
    const lacksRight = error instanceof StorageError && error.reason === 'denied' && error.message.includes(' is not allowed to ')
    if (!lacksRight) throw error
    throw new StorageError(
      'denied',
      `SEALWRIGHT_S3_ACCESS_KEY_ID is not allowed to ${what} in the bucket in SEALWRIGHT_S3_BUCKET.`,
      error,
    )
  }
}

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of items) return item
  return undefined
}

function attributesOf(content: Buffer): ObjectAttributes {
  return { contentType: 'application/octet-stream', sha256: createHash('sha256').update(content).digest() }
}
