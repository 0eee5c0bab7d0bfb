// Where documents are kept: immutable objects under keys of ours. A key is written once and never overwritten, so a lost answer, a second
// worker or a retry can do no harm. Two stores keep this contract: files under a folder, and S3.
import type { Readable } from 'node:stream'

/** What a writer knows about the bytes it hands over. */
export interface ObjectAttributes {
  /** Kept by S3; the file store serves what a presigned URL says. */
  contentType: string
  /** SHA-256 of the bytes, 32 bytes. The store refuses bytes with another one. */
  sha256: Buffer
}

/** Which of several writers of one key this was; `exists` leaves what is there as it is. */
export type PutOutcome = 'created' | 'exists'

/** From the first byte up to, not including, `end`, as in Buffer.subarray; what lies beyond the object's end is left out. */
export interface ByteRange {
  start: number
  end: number
}

/** How a browser that follows a presigned URL gets the object: always as an attachment. */
export interface PresignOptions {
  /** The name to save it under, as the customer knows it. */
  fileName: string
  contentType: string
  expiresInSeconds: number
  now: Date
}

export interface StoredObject {
  key: string
  /** In bytes. */
  length: number
  storedAt: Date
}

/** Every method throws StorageError when the store cannot do what it promises; see object-key.ts for the form of keys. */
export interface ObjectStore {
  /** Stores a file without holding it in memory; durable when it resolves. The file may stay or be unlinked afterwards, but must not be changed. */
  putFile(key: string, path: string, attributes: ObjectAttributes): Promise<PutOutcome>
  /** Stores bytes; durable when it resolves. */
  put(key: string, bytes: Uint8Array, attributes: ObjectAttributes): Promise<PutOutcome>
  /** The object's bytes, or a part of them. A missing object is a fault: StorageError `missing`. */
  read(key: string, range?: ByteRange): Promise<Buffer>
  /** The whole object at the beginning of `memory`; answers its length. Throws StorageError `corrupt` when it does not fit in. */
  readInto(key: string, memory: Uint8Array): Promise<number>
  /** The object as a stream with the number of bytes it will give. Read it to its end or destroy it. */
  readStream(key: string, range?: ByteRange): Promise<{ stream: Readable; length: number }>
  stat(key: string): Promise<StoredObject | undefined>
  /** Done, too, when there was nothing under the key. */
  delete(key: string): Promise<void>
  /** Objects whose key begins with `prefix` and that were stored before `olderThan`, in no order. */
  list(prefix: string, olderThan: Date): AsyncIterable<StoredObject>
  /** Lets go of what writers left unfinished who began before `olderThan`: it takes room, yet is no object. Answers how much there was. Of a store that
   *  others use as well only what was meant for a key that begins with `prefix`. */
  dropUnfinished(prefix: string, olderThan: Date): Promise<number>
  /** A URL that gives the object to whoever has it, until it expires: a secret, made for one answer, never stored or logged. */
  presignGet(key: string, options: PresignOptions): Promise<string>
  /** Proves at start that objects can be written once, read and removed; throws one sentence naming the setting at fault. */
  check(): Promise<void>
  /** Stops what is being stored, and lets go of connections. */
  close(): Promise<void>
}
