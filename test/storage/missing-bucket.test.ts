// A bucket that goes while the store is in use.
import { randomBytes } from 'node:crypto'
import { DeleteBucketCommand } from '@aws-sdk/client-s3'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { openLog } from '#core/platform/log.ts'
import { openStore } from '#core/installation/open-store.ts'
import { newS3Client } from '#core/platform/storage/s3/s3-client.ts'
import { expect, test } from 'vitest'
import { newBucket } from '../support/servers/object-stores.ts'

// requirements: running/starting/health
test('a bucket that is gone is missed by the check, which an object that is not there does not disturb', async () => {
  const bucket = await newBucket()
  const { settings } = readSettings({
    SEALWRIGHT_S3_ENDPOINT: bucket.endpoint,
    SEALWRIGHT_S3_REGION: bucket.region,
    SEALWRIGHT_S3_BUCKET: bucket.bucket,
    SEALWRIGHT_S3_ACCESS_KEY_ID: bucket.accessKeyId,
    SEALWRIGHT_S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    SEALWRIGHT_S3_FORCE_PATH_STYLE: 'true',
  })
  const keys = deriveInstallationKeys(randomBytes(32))
  await using opened = await openStore({ ...settings, publicUrl: 'http://127.0.0.1' }, keys, openLog('silent'))
  await opened.store.check()
  const client = newS3Client(bucket, bucket.endpoint)
  await client.send(new DeleteBucketCommand({ Bucket: bucket.bucket }))
  client.destroy()
  await expect(opened.store.check()).rejects.toThrow('The bucket in SEALWRIGHT_S3_BUCKET does not exist.')
})
