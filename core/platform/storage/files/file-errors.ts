// System errors of files as a StorageError with one sentence that an administrator can act on.
import { StartupError, type StartupErrorKind } from '#core/platform/errors/startup-error.ts'
import { errnoOf, StorageError, type StorageErrorReason } from '#core/platform/storage/storage-error.ts'

const MEANINGS: Readonly<Record<string, { reason: StorageErrorReason; message: string }>> = {
  ENOSPC: { reason: 'full', message: 'The disk of SEALWRIGHT_DATA_DIR has no space left.' },
  EDQUOT: { reason: 'full', message: 'The disk quota of SEALWRIGHT_DATA_DIR is used up.' },
  EFBIG: {
    reason: 'full',
    message: 'A file in SEALWRIGHT_DATA_DIR would exceed the file size limit of this process (ulimit -f).',
  },
  EACCES: { reason: 'denied', message: 'The user of the service cannot read and write SEALWRIGHT_DATA_DIR.' },
  EPERM: { reason: 'denied', message: 'The user of the service cannot read and write SEALWRIGHT_DATA_DIR.' },
  EEXIST: { reason: 'failed', message: 'SEALWRIGHT_DATA_DIR, or a folder in it, is a file.' },
  ENOTDIR: { reason: 'failed', message: 'SEALWRIGHT_DATA_DIR, or a parent folder, is a file.' },
  EROFS: { reason: 'denied', message: 'SEALWRIGHT_DATA_DIR is on a read-only file system.' },
}

/** Runs `operation`; a system error becomes a StorageError, any other stays as it is. */
export async function describingErrors<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation()
  } catch (error) {
    throw toStorageError(error)
  }
}

const KIND_OF_REASON: Partial<Record<StorageErrorReason, StartupErrorKind>> = { full: 'STORE_FULL', denied: 'STORE_DENIED' }

/** Runs an operation at start on what a process keeps below its data folder: a system error becomes a StartupError. */
export async function inDataDir<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await describingErrors(operation)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new StartupError(KIND_OF_REASON[error.reason] ?? 'STORE_UNFIT', error.message, error)
  }
}

/** The StorageError for a system error; other errors, ours among them, unchanged. */
export function toStorageError(error: unknown): unknown {
  const errno = errnoOf(error)
  // Our own errors have codes as well: a document that is too large is no disk error.
  if (errno === undefined || !/^E[A-Z0-9]+$/.test(errno)) return error
  const { reason, message } = MEANINGS[errno] ?? {
    reason: 'failed',
    message: `A file in SEALWRIGHT_DATA_DIR could not be used: ${errno}.`,
  }
  return new StorageError(reason, message, error)
}
