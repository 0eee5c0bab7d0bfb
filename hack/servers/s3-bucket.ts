// The bucket of local S3 servers, and the settings for it.
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { S3Server } from './versitygw.ts'

export const BUCKET = 'sealwright'

type Access = Pick<S3Server, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>

/** Creates the bucket if missing. */
export async function createBucket({ endpoint, region, accessKeyId, secretAccessKey }: Access): Promise<void> {
  const client = new S3Client({ endpoint, region, credentials: { accessKeyId, secretAccessKey }, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET })).catch((error: Error) => {
    if (!error.name.startsWith('BucketAlready')) throw error
  })
  client.destroy()
}

/** Access as environment variables. */
export function s3Settings({ endpoint, region, accessKeyId, secretAccessKey }: Access): Record<string, string> {
  return {
    SEALWRIGHT_S3_ENDPOINT: endpoint,
    SEALWRIGHT_S3_REGION: region,
    SEALWRIGHT_S3_BUCKET: BUCKET,
    SEALWRIGHT_S3_ACCESS_KEY_ID: accessKeyId,
    SEALWRIGHT_S3_SECRET_ACCESS_KEY: secretAccessKey,
    SEALWRIGHT_S3_FORCE_PATH_STYLE: 'true',
  }
}
