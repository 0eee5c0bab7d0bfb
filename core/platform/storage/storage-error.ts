// Errors of stored objects, the same for files and S3. Code decides by the reason, people read the message.

/** `missing` and `corrupt` concern one object; `range` is the caller's mistake; the others are temporary or need an administrator. */
export type StorageErrorReason = 'missing' | 'corrupt' | 'range' | 'full' | 'denied' | 'unreachable' | 'untrusted' | 'failed'

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly reason: StorageErrorReason

  constructor(reason: StorageErrorReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** The operating system's name of an error (ENOSPC, EACCES, ECONNREFUSED ...); undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
