// The object store that the settings name: S3, or files below the data folder. The S3 library is loaded when it is needed, because it is large.
import path from 'node:path'
import type { Core, CoreSettings } from '#core/context.ts'
import type { InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import type { Logger } from '#core/platform/log.ts'
import { measuredStore } from '#core/platform/storage/measured-store.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { StartupError, type StartupErrorKind } from '#core/platform/process/startup-error.ts'
import { sleep } from '#core/platform/process/sleep.ts'
import { openMonitored, type DependencyMonitor } from '#core/platform/process/dependency-monitor.ts'
import { newVerifiedStore } from './verified-store.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

export interface OpenedStore extends AsyncDisposable {
  /** Its `check` is quick: what the last try of everything has found, and whether the store answers. */
  store: ObjectStore
  /** Where presigned URLs lead, when that is not this service. */
  origin: string | undefined
  /** What a person is told of it. */
  line: string
  /** Makes it the store of the installation, if none is yet: at once, or when it is back. Until then its calls throw StorageError. Throws StartupError when
   *  another one is. */
  claimFor(core: Pick<Core, 'database' | 'keys'>): Promise<void>
  /** Rejects with the same StartupError when that is only found out later; never resolves. */
  failed: Promise<never>
}

/** Opens and tries out the store. One that cannot be reached yet is opened all the same and tried until it can. Throws StartupError. */
export async function openStore(settings: CoreSettings, keys: InstallationKeys, log: Logger): Promise<OpenedStore> {
  const { store, origin, line, settingsText } = await chooseStore(settings, keys)
  let claim = async (): Promise<void> => {}
  const tryFirst = firstInTime(store)
  const attempt = async (): Promise<void> => {
    await tryFirst()
    await describingErrors(claim)
  }
  const watched = await openMonitored(attempt, newThrottledLog(log, 'storage.unavailable')).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const fault = watched.fault()
  const claimed = newVerifiedStore(store, settingsText, watched.fault)
  return {
    store: measuredStore({ ...claimed.store, check: () => lookAfter(store, watched) }),
    origin,
    line: fault === undefined ? line : `${line}; NOT AVAILABLE YET: ${fault}`,
    async claimFor(core) {
      claim = () => claimed.claim(core)
      // One that is away is claimed as soon as it is back.
      if (watched.fault() !== undefined) return
      await describingErrors(claim).catch((error: unknown) => {
        if (!(error instanceof StartupError) || error.consequence === 'ends') throw error
        watched.failed(error.message)
      })
    },
    failed: claimed.failed,
    async [Symbol.asyncDispose]() {
      await watched[Symbol.asyncDispose]()
      await store.close()
    },
  }
}

async function chooseStore(
  settings: CoreSettings,
  keys: InstallationKeys,
): Promise<Pick<OpenedStore, 'store' | 'origin' | 'line'> & { settingsText: string }> {
  const { s3Endpoint, s3Bucket, s3AccessKeyId, s3SecretAccessKey } = settings
  if (s3Endpoint && s3Bucket && s3AccessKeyId && s3SecretAccessKey) {
    const { openS3Store } = await import('#core/platform/storage/s3/s3-store.ts')
    const store = openS3Store({
      endpoint: s3Endpoint,
      publicEndpoint: settings.s3PublicEndpoint,
      region: settings.s3Region,
      bucket: s3Bucket,
      accessKeyId: s3AccessKeyId,
      secretAccessKey: s3SecretAccessKey.reveal(),
      certificates: settings.s3CaFile,
      forcePathStyle: settings.s3ForcePathStyle,
    })
    const origin = new URL(settings.s3PublicEndpoint ?? s3Endpoint).origin
    return {
      store,
      origin,
      line: `documents: bucket ${s3Bucket} at ${s3Endpoint}`,
      settingsText: 'SEALWRIGHT_S3_ENDPOINT, _BUCKET',
    }
  }
  const folder = path.resolve(settings.dataDir, 'storage')
  const store = openFileStore({ folder, publicUrl: settings.publicUrl, presignKey: keys.presign })
  return {
    store,
    origin: undefined,
    line: `documents: files in ${folder}`,
    settingsText: 'SEALWRIGHT_S3_ENDPOINT is not set; SEALWRIGHT_DATA_DIR',
  }
}

const FIRST_TRY_MS = 10_000

const KIND_OF_REASON: Readonly<Record<StorageError['reason'], StartupErrorKind>> = {
  unreachable: 'STORE_UNREACHABLE',
  full: 'STORE_FULL',
  untrusted: 'STORE_UNTRUSTED',
  denied: 'STORE_DENIED',
  failed: 'STORE_UNFIT',
  missing: 'STORE_UNFIT',
  corrupt: 'STORE_UNFIT',
  range: 'STORE_UNFIT',
}

/** Tries the store out; the first time, which the start waits for, without the retries that a silent one is given in use. */
function firstInTime(store: ObjectStore): () => Promise<void> {
  let isFirst = true
  return async () => {
    const tried = tryOut(store)
    if (!isFirst) return tried
    isFirst = false
    const done = new AbortController()
    const late = sleep(FIRST_TRY_MS, done.signal).then(() => {
      if (done.signal.aborted) return
      throw new StartupError('STORE_UNREACHABLE', `The object store did not respond within ${FIRST_TRY_MS / 1000} s.`)
    })
    tried.catch(() => {})
    return Promise.race([tried, late]).finally(() => done.abort())
  }
}

async function tryOut(store: ObjectStore): Promise<void> {
  await describingErrors(() => store.check())
}

/** Throws StartupError for a StorageError. */
async function describingErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new StartupError(KIND_OF_REASON[error.reason], error.message, error)
  }
}

async function lookAfter(store: ObjectStore, watched: DependencyMonitor): Promise<void> {
  const fault = watched.fault()
  if (fault !== undefined) throw new Error(fault)
  try {
    // NOTE: not `stat`: S3 says only to one who reads whether it is the object that is missing, or the whole bucket.
    await store.read('readiness')
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== 'missing') throw error
  }
}
