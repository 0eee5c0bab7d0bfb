// Creates the bucket of a store that was just started, for trials.
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { sleep } from '../../process/sleep.ts'
import { newS3Client, type S3StoreOptions } from './s3-client.ts'
import { isConnectionError, statusOf } from './s3-errors.ts'

const PAUSE_MS = 500
const NOT_READY = 500

/** Waits for the store until the signal is aborted; then throws one sentence. A bucket that exists is fine. */
export async function createBucket(
  store: Pick<S3StoreOptions, 'endpoint' | 'region' | 'bucket' | 'accessKeyId' | 'secretAccessKey'>,
  signal: AbortSignal,
): Promise<void> {
  const client = newS3Client({ ...store, publicEndpoint: undefined, forcePathStyle: true }, store.endpoint)
  try {
    for (;;) {
      const error = await client.send(new CreateBucketCommand({ Bucket: store.bucket })).then(
        () => undefined,
        (failure: unknown) => failure,
      )
      if (error === undefined || isThere(error)) return
      if (!isStarting(error)) throw error
      if (signal.aborted) throw new Error(`The object store ${store.endpoint} does not answer.`, { cause: error })
      await sleep(PAUSE_MS, signal)
    }
  } finally {
    client.destroy()
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('BucketAlready')
}

function isStarting(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined ? isConnectionError(error) : status >= NOT_READY
}
