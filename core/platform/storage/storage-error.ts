// Errors of stored objects, the same for files and S3. Code decides by the reason, people read the message.

/** `missing` and `corrupt` concern one object; `range` is the caller's mistake; the others are temporary or need an administrator. */
export type StorageFault = 'missing' | 'corrupt' | 'range' | 'full' | 'denied' | 'unreachable' | 'untrusted' | 'failed'

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly reason: StorageFault

  constructor(reason: StorageFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
