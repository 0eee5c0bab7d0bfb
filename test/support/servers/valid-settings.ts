// Settings with which every tier starts on real servers; tests break one of them.
import { randomBytes } from 'node:crypto'
import { freePort } from '../../../hack/servers/free-port.ts'
import { newBucket } from './object-stores.ts'

/** For a migrated database and an existing folder. Without NATS and SMTP; the metrics port is off. */
export async function validSettings(databaseUrl: string, dataDir: string): Promise<Record<string, string>> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = await newBucket()
  return {
    SEALWRIGHT_DATABASE_URL: databaseUrl,
    SEALWRIGHT_DATABASE_POOL: '3',
    SEALWRIGHT_INSTALLATION_KEY: randomBytes(32).toString('base64'),
    SEALWRIGHT_DATA_DIR: dataDir,
    SEALWRIGHT_PORT: String(await freePort()),
    SEALWRIGHT_METRICS_PORT: '0',
    SEALWRIGHT_MAIL_KEEP: 'true',
    SEALWRIGHT_S3_ENDPOINT: endpoint,
    SEALWRIGHT_S3_REGION: region,
    SEALWRIGHT_S3_BUCKET: bucket,
    SEALWRIGHT_S3_ACCESS_KEY_ID: accessKeyId,
    SEALWRIGHT_S3_SECRET_ACCESS_KEY: secretAccessKey,
    SEALWRIGHT_S3_FORCE_PATH_STYLE: 'true',
  }
}
