// Where documents are stored: immutable objects under keys that we choose. A key is written once and never overwritten, so a lost response, a second
// worker or a retry does no harm. Two stores implement this contract: files under a folder, and S3.
import type { Readable } from 'node:stream'
import { StorageError } from './storage-error.ts'

/** What a writer knows about the bytes. */
export interface ObjectAttributes {
  /** Stored by S3; the file store serves the type in the presigned URL. */
  contentType: string
  /** SHA-256 of the bytes, 32 bytes. The store rejects bytes with another one. */
  sha256: Buffer
}

/** Whether this call created the object; `exists` leaves the stored one unchanged. */
export type PutOutcome = 'created' | 'exists'

/** From the first byte up to, not including, `end`, as in Buffer.subarray; bytes beyond the object's end are left out. */
export interface ByteRange {
  start: number
  end: number
}

/** How a browser that follows a presigned URL gets the object: always as an attachment. */
export interface PresignOptions {
  /** The customer's file name, under which the browser saves it. */
  fileName: string
  contentType: string
  expiresInSeconds: number
  now: Date
}

export interface StoredObject {
  key: string
  /** Length in bytes. */
  length: number
  storedAt: Date
}

/** Every method throws StorageError when the store cannot do what it promises. */
export interface ObjectStore {
  /** Stores a file without holding it in memory; durable when it resolves. The file may stay or be unlinked afterwards, but must not be changed. */
  putFile(key: string, path: string, attributes: ObjectAttributes): Promise<PutOutcome>
  /** Stores bytes; durable when it resolves. */
  put(key: string, bytes: Uint8Array, attributes: ObjectAttributes): Promise<PutOutcome>
  /** The object's bytes, or a part of them. Throws StorageError `missing` for a missing object. */
  read(key: string, range?: ByteRange): Promise<Buffer>
  /** Reads the whole object into the beginning of `memory` and returns its length. Throws StorageError `corrupt` when it is larger. */
  readInto(key: string, memory: Uint8Array): Promise<number>
  /** The object as a stream with its number of bytes. The caller reads it to its end or destroys it. */
  readStream(key: string, range?: ByteRange): Promise<{ stream: Readable; length: number }>
  stat(key: string): Promise<StoredObject | undefined>
  /** Succeeds, too, when the object does not exist. */
  delete(key: string): Promise<void>
  /** Objects whose key begins with `prefix` and that were stored before `olderThan`, in no order. */
  list(prefix: string, olderThan: Date): AsyncIterable<StoredObject>
  /** Deletes unfinished writes that began before `olderThan`: they take room but are no objects. Returns how many. In a shared bucket it deletes only
   *  those for keys that begin with `prefix`. */
  dropUnfinished(prefix: string, olderThan: Date): Promise<number>
  /** A URL with which anyone can fetch the object until it expires: a secret, created per response, never stored or logged. */
  presignGet(key: string, options: PresignOptions): Promise<string>
  /** Checks at start that objects can be written once, read and removed; throws one sentence that names the setting. */
  check(): Promise<void>
  /** Aborts running writes and closes connections. */
  close(): Promise<void>
}

// Keys consist of ids and hashes, never of names that people chose, so a strict format costs nothing and rules out traversal, escapes in URLs and
// clashes on case-insensitive file systems.
const KEY = /^[a-z0-9][a-z0-9._-]{0,127}(\/[a-z0-9][a-z0-9._-]{0,127}){0,7}$/

/** Throws when `key` is not one to eight segments of lower-case letters, digits, `.`, `_` and `-` that begin with a letter or digit. NOTE: a key must
 *  not be another key's folder (`a` beside `a/b`): file systems cannot hold both. */
export function assertObjectKey(key: string): void {
  if (!KEY.test(key)) throw new TypeError(`Not an object key: ${JSON.stringify(key.slice(0, 200))}`)
}

/** Throws StorageError `range` unless the range holds at least one byte. */
export function assertByteRange({ start, end }: ByteRange): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start < end
  if (!isRange) throw new StorageError('range', `From ${start} to ${end} is no range of bytes.`)
}
