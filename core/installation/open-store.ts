// The object store of the settings: S3, or files below the data folder. The S3 library is loaded on demand, because it is large.
import path from 'node:path'
import type { Core, CoreSettings } from '#core/context.ts'
import type { InstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import type { Logger } from '#core/platform/log.ts'
import { isUnavailable } from '#core/platform/postgres/postgres-error.ts'
import { toDatabaseError } from '#core/platform/postgres/startup-error.ts'
import { measuredStore } from '#core/platform/storage/measured-store.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'
import { StartupError, type StartupErrorKind } from '#core/platform/errors/startup-error.ts'
import { sleep } from '#core/platform/process/sleep.ts'
import { openMonitored, type DependencyMonitor } from '#core/platform/process/dependency-monitor.ts'
import { newVerifiedStore } from './verified-store.ts'
import { openFileStore } from '#core/platform/storage/files/file-store.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

export interface OpenedStore extends AsyncDisposable {
  /** Its `check` is quick: the result of the last full check, and whether the store responds now. */
  store: ObjectStore
  /** The origin of presigned URLs, when it is not this service. */
  origin: string | undefined
  /** Describes the store in the terminal. */
  line: string
  /** Claims the store for the installation: at once, or when it becomes reachable. Until then its calls throw StorageError. Throws StartupError when
   *  it is another installation's store. */
  claimFor(core: Pick<Core, 'database' | 'keys'>): Promise<void>
  /** Rejects with the same StartupError when that is found later; never resolves. */
  failed: Promise<never>
}

/** Opens and checks the store. An unreachable store is opened too and retried until it works. Throws StartupError for an error that waiting cannot fix. */
export async function openStore(settings: CoreSettings, keys: InstallationKeys, log: Logger): Promise<OpenedStore> {
  const { store, origin, line, settingsText } = await chooseStore(settings, keys)
  let claim = async (): Promise<void> => {}
  const check = firstWithTimeout(store)
  const attempt = async (): Promise<void> => {
    await check()
    await describingErrors(claim)
  }
  const monitor = await openMonitored(attempt, newThrottledLog(log, 'storage.unavailable')).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  const error = monitor.lastError()
  const verified = newVerifiedStore(store, settingsText, monitor.lastError)
  return {
    store: measuredStore({ ...verified.store, check: () => quickCheck(store, monitor) }),
    origin,
    line: error === undefined ? line : `${line}; NOT AVAILABLE YET: ${error}`,
    async claimFor(core) {
      claim = () => verified.claim(core)
      // An unavailable store is claimed as soon as it is back.
      if (monitor.lastError() !== undefined) return
      await describingErrors(claim).catch((error: unknown) => {
        if (!(error instanceof StartupError) || error.consequence === 'exits') throw error
        monitor.failed(error.message)
      })
    },
    failed: verified.failed,
    async [Symbol.asyncDispose]() {
      await monitor[Symbol.asyncDispose]()
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

const FIRST_CHECK_MS = 10_000

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

/** Checks the store; the first check, on which the start waits, skips the retries that an unresponsive store gets in use. */
function firstWithTimeout(store: ObjectStore): () => Promise<void> {
  let isFirst = true
  return async () => {
    const checked = fullCheck(store)
    if (!isFirst) return checked
    isFirst = false
    const done = new AbortController()
    const late = sleep(FIRST_CHECK_MS, done.signal).then(() => {
      if (done.signal.aborted) return
      throw new StartupError('STORE_UNREACHABLE', `The object store did not respond within ${FIRST_CHECK_MS / 1000} s.`)
    })
    checked.catch(() => {})
    return Promise.race([checked, late]).finally(() => done.abort())
  }
}

async function fullCheck(store: ObjectStore): Promise<void> {
  await describingErrors(() => store.check())
}

/** Throws StartupError for a StorageError, and for a database that is away when the store is claimed. */
async function describingErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (isUnavailable(error)) throw toDatabaseError(error)
    if (!(error instanceof StorageError)) throw error
    throw new StartupError(KIND_OF_REASON[error.reason], error.message, error)
  }
}

async function quickCheck(store: ObjectStore, monitor: DependencyMonitor): Promise<void> {
  const error = monitor.lastError()
  if (error !== undefined) throw new Error(error)
  try {
    // NOTE: not `stat`: only for a read does S3 say whether the object or the whole bucket is missing.
    await store.read('readiness')
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== 'missing') throw error
  }
}
