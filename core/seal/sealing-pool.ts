// Seals documents on separate threads: hashing tens of megabytes would block the event loop.
import { openSharedMemory, type SharedBytes, type SharedMemory } from '#core/platform/threads/shared-memory.ts'
import { asBuffer } from '#core/platform/threads/transferable.ts'
import { THREAD_LIMITS } from '#core/platform/threads/thread-limits.ts'
import { openThreadPool, type PreparedTask } from '#core/platform/threads/thread-pool.ts'
import type { Placement } from '#core/pdf/increment/place-forms.ts'
import type { Inspected } from '#core/pdf/placement/place-seals.ts'
import type { SealPlan } from '#core/pdf/plan/seal-plan.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'
import type { SealAnswer, SealTask } from './seal-thread.ts'
import { SigningKeyUnusableError } from '#core/signing-key/key-error.ts'
import type { HeldKey, SealingKeys } from '#core/signing-key/loading/key-ring.ts'

export interface SealRequest {
  original: SharedBytes
  plan: SealPlan
  /** The places of the seals, or what it takes to find them. */
  placements: readonly Placement[] | Inspected
  /** The drawn seals, ordered by signer. */
  seals: readonly { signOrder: number; name: string; appearance: Buffer }[]
  sealedAt: Date
  auditHead: AuditHead
}

export interface SealedBytes {
  /** The bytes to append to the original. */
  increment: Buffer
  /** SHA-256 of original and increment together. */
  sha256: Buffer
}

/** Sealing threads without keys: they need neither database nor key to start, and starting takes a while. */
export interface SealingThreads {
  /** Holds documents while they are sealed. */
  memory: SharedMemory
  /**
   * Seals one document with a key that the caller holds; the result has passed our verifier. Throws Error with one sentence when the document cannot be
   * sealed, SigningKeyUnusableError when the key cannot seal.
   */
  seal(request: SealRequest, key: Pick<HeldKey, 'pem'>): Promise<SealedBytes>
  /** Waits for running tasks. */
  close(): Promise<void>
}

export interface SealingPool extends Pick<SealingThreads, 'memory' | 'seal'> {
  keys: SealingKeys
}

export interface SealingThreadsOptions {
  readonly threads: number
  /** Per document: a thread that takes longer is terminated. */
  readonly limitSeconds: number
}

/** The size of the largest upload: many small documents can be processed at once, or one large one per thread. */
const BYTES_PER_THREAD = 50 * 1024 * 1024

export function openSealingThreads({ threads, limitSeconds }: SealingThreadsOptions): SealingThreads {
  const pool = openThreadPool<SealTask, SealAnswer>({
    pool: 'sealing',
    ...THREAD_LIMITS.sealing,
    limitSeconds,
    maxWaiting: threads * THREAD_LIMITS.sealing.maxWaiting,
    module: new URL('seal-thread.ts', import.meta.url),
    functionName: 'runSealTask',
    threads,
    startAtOnce: 1,
  })
  const memory = openSharedMemory(threads * BYTES_PER_THREAD)
  return {
    memory,
    async seal(request, { pem }) {
      const outcome = await pool.prepareAndRun(async () => toTask(request, pem))
      if (!outcome.finished) throw new Error(tooCostly(limitSeconds))
      if (!outcome.answer.ok) throw new (outcome.answer.keyUnusable ? SigningKeyUnusableError : Error)(outcome.answer.message)
      const { increment, sha256 } = outcome.answer
      return { increment: asBuffer(increment), sha256: asBuffer(sha256) }
    },
    close: () => pool.close(),
  }
}

/** The drawn seals are copied: every document of the envelope needs them, and transferred buffers are lost here. */
function toTask({ seals: drawn, ...request }: SealRequest, pem: string): PreparedTask<SealTask> {
  const seals = drawn.map(({ signOrder, name, appearance }) => ({ signOrder, name, appearance: new Uint8Array(appearance) }))
  return { task: { ...request, seals, pem }, given: seals.map(({ appearance }) => appearance.buffer) }
}

function tooCostly(limitSeconds: number): string {
  const { heapMebibytes, bufferMebibytes } = THREAD_LIMITS.sealing
  return `Sealing took longer than ${limitSeconds} s, more than ${heapMebibytes} MiB of heap or more than ${bufferMebibytes} MiB of buffers.`
}
