// Whether a key is taken: for a writer whose response was lost, or who has much to send.
import { HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { ObjectAttributes } from '#core/platform/storage/object-store.ts'
import { statusOf } from './s3-errors.ts'

/** An object to write. */
export interface PutRequest extends ObjectAttributes {
  bucket: string
  key: string
}

/** Whether there is an object under the key. Throws errors of the SDK. */
export async function objectExists(client: S3Client, { bucket, key }: Pick<PutRequest, 'bucket' | 'key'>): Promise<boolean> {
  try {
    await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
    return true
  } catch (error) {
    if (statusOf(error) === 404) return false
    throw error
  }
}
