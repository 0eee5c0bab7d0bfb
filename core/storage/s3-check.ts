// The S3 store's check at start: what it builds on, tried out. A store that ignores If-None-Match would let a second writer replace a document.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'
import type { ObjectAttributes, ObjectStore } from './object-store.ts'
import { StorageError } from './storage-error.ts'

/** Presigned URLs carry our time; S3 itself refuses requests that are 15 minutes off. */
const SKEW_AT_MOST_MS = 60_000

/** Writes, writes again, reads and removes an object. Throws StorageError. */
export async function checkBucket(store: ObjectStore, client: S3Client): Promise<void> {
  const key = `checks/${randomUUID()}`
  const [bytes, others] = [randomBytes(32), randomBytes(32)]
  try {
    await store.put(key, bytes, attributesOf(bytes))
    const second = await store.put(key, others, attributesOf(others))
    if (second !== 'exists' || !bytes.equals(await store.read(key))) {
      throw new StorageError(
        'failed',
        'What answers at SEALWRIGHT_S3_ENDPOINT overwrites objects in spite of If-None-Match; use a release that honours it.',
      )
    }
  } finally {
    // Whatever went wrong before is the news, not that the probe stays.
    await store.delete(key).catch(() => {})
  }
  // The SDK notices and corrects a wrong clock for its own requests, but not in the URLs that it signs for others.
  const skewMs = Math.abs(client.config.systemClockOffset)
  if (skewMs > SKEW_AT_MOST_MS) {
    const minutes = Math.round(skewMs / 60_000)
    throw new StorageError(
      'failed',
      `This machine's clock is ${minutes} minutes off the clock behind SEALWRIGHT_S3_ENDPOINT; set both by NTP.`,
    )
  }
}

function attributesOf(content: Buffer): ObjectAttributes {
  return { contentType: 'application/octet-stream', sha256: createHash('sha256').update(content).digest() }
}
