// Seals documents on threads of their own: hashing tens of megabytes is too long for the event loop.
import { openSharedMemory, type SharedBytes, type SharedMemory } from '#core/platform/threads/shared-memory.ts'
import { asBuffer } from '#core/platform/threads/transferable.ts'
import { openThreadPool, type PreparedTask } from '#core/platform/threads/thread-pool.ts'
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'
import type { SealAnswer, SealTask } from './seal-thread.ts'
import { type SigningKey, signingKeyFingerprint, writePemKey } from '#core/pades/signing-key.ts'

export interface SealRequest {
  original: SharedBytes
  inspection: Inspection
  /** The drawn seals by the order of their signers. */
  seals: readonly { signOrder: number; appearance: Buffer }[]
  sealedAt: Date
  auditHead: AuditHead
}

export interface SealedBytes {
  /** What is appended to the original. */
  increment: Buffer
  /** Of original and increment together. */
  sha256: Buffer
}

/** The key can seal no document. */
export class SigningKeyUnusableError extends Error {
  override readonly name = 'SigningKeyUnusableError'
}

export interface SealingPool {
  /** Of the certificate that seals. */
  fingerprint: string
  /** Where documents are while they are sealed. */
  memory: SharedMemory
  /** Seals one document; what comes back has passed our own verifier. Throws an Error with one sentence when it cannot be sealed: a SigningKeyUnusableError
   *  when nothing can. */
  seal(request: SealRequest): Promise<SealedBytes>
}

/** Threads that can seal and have no key yet: they need neither database nor key to start, and starting takes them a while. */
export interface SealingThreads {
  /** The threads, sealing with this key. */
  withKey(key: SigningKey): SealingPool
  /** Waits for running tasks. */
  close(): Promise<void>
}

export interface SealingThreadsOptions {
  readonly threads: number
  /** For one document: a thread that takes longer hangs, and is given up. */
  readonly limitSeconds: number
}

const HEAP_MEBIBYTES = 256
/** A file of 50 MB with those before it that are not swept yet comes to a third of it. The original, on shared memory, does not count. */
const BUFFER_MEBIBYTES = 512
/** A seal is bytes, and few objects. */
const YOUNG_MEBIBYTES = 4
const WAITING_PER_THREAD = 16
/** As much as the largest upload: many small documents are under way at once, large ones one a thread. */
const BYTES_PER_THREAD = 50 * 1024 * 1024

export function openSealingThreads({ threads, limitSeconds }: SealingThreadsOptions): SealingThreads {
  const pool = openThreadPool<SealTask, SealAnswer>({
    pool: 'sealing',
    module: new URL('seal-thread.ts', import.meta.url),
    functionName: 'runSealTask',
    threads,
    startAtOnce: 1,
    maxWaiting: threads * WAITING_PER_THREAD,
    limitSeconds,
    heapMebibytes: HEAP_MEBIBYTES,
    youngMebibytes: YOUNG_MEBIBYTES,
    bufferMebibytes: BUFFER_MEBIBYTES,
  })
  const memory = openSharedMemory(threads * BYTES_PER_THREAD)
  return {
    withKey(key) {
      const pem = writePemKey(key)
      return {
        fingerprint: signingKeyFingerprint(key),
        memory,
        async seal(request) {
          const outcome = await pool.prepareAndRun(async () => toTask(request, pem))
          if (!outcome.finished) throw new Error(tooCostly(limitSeconds))
          if (!outcome.answer.ok)
            throw new (outcome.answer.keyIsAtFault ? SigningKeyUnusableError : Error)(outcome.answer.message)
          const { increment, sha256 } = outcome.answer
          return { increment: asBuffer(increment), sha256: asBuffer(sha256) }
        },
      }
    },
    close: () => pool.close(),
  }
}

/** The drawn seals are copied: every document of the envelope shows them, and what a thread is given is gone from here. */
function toTask({ seals: drawn, ...request }: SealRequest, pem: string): PreparedTask<SealTask> {
  const seals = drawn.map(({ signOrder, appearance }) => ({ signOrder, appearance: new Uint8Array(appearance) }))
  return { task: { ...request, seals, pem }, given: seals.map(({ appearance }) => appearance.buffer) }
}

function tooCostly(limitSeconds: number): string {
  return `Sealing took longer than ${limitSeconds} s, more than ${HEAP_MEBIBYTES} MiB of heap or more than ${BUFFER_MEBIBYTES} MiB of buffers.`
}
