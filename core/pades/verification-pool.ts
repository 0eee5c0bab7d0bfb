// Verifies stored sealed copies on a separate thread: the check is public, and a file can have 50 MB.
import { toTransferable } from '#core/platform/threads/transferable.ts'
import { THREAD_LIMITS } from '#core/platform/threads/thread-limits.ts'
import { openThreadPool, type PreparedTask } from '#core/platform/threads/thread-pool.ts'
import { certificateFingerprint } from './certificate.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { openVerdictCache } from './verdict-cache.ts'
import type { VerificationAnswer, VerificationTask } from './verification-thread.ts'

export interface VerificationRequest {
  /** Whose file it is: owners take turns. */
  owner: string
  /** Names the stored bytes: another file, or one that was replaced, has another name. */
  name: string
  /** Reads the file, up to 50 MB, when a thread is free. Its memory is transferred to the thread. */
  read: () => Promise<Buffer>
  /** Hash of the file when it was sealed. */
  sha256: Buffer
  /** DER of the certificate that must have sealed it. */
  certificate: Buffer
  /** The time of the check. */
  now: Date
}

export interface VerificationPool {
  /**
   * Checks that the file is unchanged and sealed by the certificate. A file that is valid is read once. Throws SERVICE_UNAVAILABLE when too
   * many requests wait, and what `read` throws.
   */
  verify(request: VerificationRequest): Promise<VerificationAnswer>
  /** Waits for running tasks. */
  close(): Promise<void>
}

export function openVerificationPool(): VerificationPool {
  const pool = openThreadPool<VerificationTask, VerificationAnswer>({
    pool: 'verification',
    ...THREAD_LIMITS.verification,
    module: new URL('verification-thread.ts', import.meta.url),
    functionName: 'runVerificationTask',
    threads: 1,
  })
  const verdicts = openVerdictCache()
  const run = async (request: VerificationRequest): Promise<VerificationAnswer> => {
    const outcome = await pool.prepareAndRun(async () => toTask(await request.read(), request), { owner: request.owner })
    if (!outcome.finished) throw new DomainError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 })
    return outcome.answer
  }
  return {
    verify(request) {
      const { name, sha256, certificate } = request
      return verdicts.get([name, sha256.toString('hex'), certificateFingerprint(certificate)].join(' '), () => run(request))
    },
    close: () => pool.close(),
  }
}

function toTask(file: Buffer, request: VerificationRequest): PreparedTask<VerificationTask> {
  const bytes = toTransferable(file)
  // Copied, because the caller keeps them; they are small.
  const sha256 = new Uint8Array(request.sha256)
  const certificate = new Uint8Array(request.certificate)
  const given = [bytes, sha256, certificate].map(({ buffer }) => buffer)
  return { task: { bytes, sha256, certificate, now: request.now }, given }
}
