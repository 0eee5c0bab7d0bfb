// The object store that the settings name: S3, or files below the data folder. The S3 library is loaded when it is needed, because it is large.
import path from 'node:path'
import type { CoreSettings } from '#core/context.ts'
import type { InstallationKeys } from '#core/crypto/installation-keys.ts'
import { measuredStore } from '#core/metrics/measured-store.ts'
import { openFileStore } from './file-store.ts'
import type { ObjectStore } from './object-store.ts'

export interface OpenedStore {
  store: ObjectStore
  /** Where presigned URLs lead, when that is not this service. */
  origin?: string
  /** What a person is told of it. */
  line: string
}

/** Opens and tries out the store. Throws StorageError with one sentence. */
export async function openStore(settings: CoreSettings, keys: InstallationKeys): Promise<OpenedStore> {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey } = settings
  if (s3Endpoint && s3Bucket && s3AccessKeyId && s3SecretAccessKey) {
    const { openS3Store } = await import('./s3-store.ts')
    const store = openS3Store({
      endpoint: s3Endpoint,
      publicEndpoint: settings.s3PublicEndpoint,
      region: settings.s3Region,
      bucket: s3Bucket,
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey.reveal(),
      forcePathStyle: settings.s3ForcePathStyle,
    })
    await store.check()
    const origin = new URL(settings.s3PublicEndpoint ?? s3Endpoint).origin
    return { store: measuredStore(store), origin, line: `documents: bucket ${s3Bucket} at ${s3Endpoint}` }
  }
  const folder = path.resolve(settings.dataDir, 'storage')
  const store = openFileStore({ folder, publicUrl: settings.publicUrl, presignKey: keys.presign })
  await store.check()
  return { store: measuredStore(store), line: `documents: files in ${folder}` }
}
