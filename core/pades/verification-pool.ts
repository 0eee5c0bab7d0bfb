// Verifies stored sealed copies on a separate thread: the check is public, and a file can have 50 MB.
import { toTransferable } from '#core/platform/threads/transferable.ts'
import { openThreadPool, type PreparedTask } from '#core/platform/threads/thread-pool.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { PinnedCertificate } from './certificate.ts'
import type { VerificationAnswer, VerificationTask } from './verification-thread.ts'

export interface VerificationRequest {
  /** Reads the file, up to 50 MB, when a thread is free. Its memory is transferred to the thread. */
  read: () => Promise<Buffer>
  /** Hash of the file when it was sealed. */
  sha256: Buffer
  pins: readonly PinnedCertificate[]
}

export interface VerificationPool {
  /** Checks that the file is unchanged and sealed by a pinned certificate. Throws SERVICE_UNAVAILABLE when too many requests wait, and what `read` throws. */
  verify(request: VerificationRequest): Promise<VerificationAnswer>
  /** Waits for running tasks. */
  close(): Promise<void>
}

export interface VerificationPoolOptions {
  readonly threads: number
}

const LIMIT_SECONDS = 20
const HEAP_MEBIBYTES = 128
/** A file of 50 MB, with earlier ones that are not collected yet, takes a third of it. */
const BUFFER_MEBIBYTES = 512
const MAX_WAITING_PER_THREAD = 16

export function openVerificationPool({ threads }: VerificationPoolOptions): VerificationPool {
  const pool = openThreadPool<VerificationTask, VerificationAnswer>({
    pool: 'verification',
    module: new URL('verification-thread.ts', import.meta.url),
    functionName: 'runVerificationTask',
    threads,
    maxWaiting: threads * MAX_WAITING_PER_THREAD,
    limitSeconds: LIMIT_SECONDS,
    heapMebibytes: HEAP_MEBIBYTES,
    bufferMebibytes: BUFFER_MEBIBYTES,
  })
  return {
    async verify({ read, sha256, pins }) {
      const outcome = await pool.prepareAndRun(async () => toTask(await read(), sha256, pins))
      if (!outcome.finished) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 })
      return outcome.answer
    },
    close: () => pool.close(),
  }
}

function toTask(file: Buffer, sha256: Buffer, pinned: readonly PinnedCertificate[]): PreparedTask<VerificationTask> {
  const bytes = toTransferable(file)
  // Copied, because the caller keeps them; they are small.
  const hash = new Uint8Array(sha256)
  const pins = pinned.map(({ certificate, compromisedFrom }) => ({ certificate: new Uint8Array(certificate), compromisedFrom }))
  const given = [bytes, hash, ...pins.map(({ certificate }) => certificate)]
  return { task: { bytes, sha256: hash, pins }, given: given.map(({ buffer }) => buffer) }
}
