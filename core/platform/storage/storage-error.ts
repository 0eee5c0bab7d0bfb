// What can go wrong with stored objects, in words that hold for files and S3 alike. Callers decide by the reason, people read the message.

/** `missing` and `corrupt` are about one object; `range` is the caller's fault; the others pass or need an administrator. */
export type StorageFault = 'missing' | 'corrupt' | 'range' | 'full' | 'denied' | 'unreachable' | 'untrusted' | 'failed'

export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly reason: StorageFault

  constructor(reason: StorageFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
