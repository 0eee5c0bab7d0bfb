// Byte ranges, checked the same way for both stores.
import type { ByteRange } from './object-store.ts'
import { StorageError } from './storage-error.ts'

/** Throws StorageError `range` unless the range holds at least one byte. */
export function assertByteRange({ start, end }: ByteRange): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start < end
  if (!isRange) throw new StorageError('range', `From ${start} to ${end} is no range of bytes.`)
}
