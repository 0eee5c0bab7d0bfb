// Inspects uploads on threads of their own, because a hostile document may take all the time and memory that it is given.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { type PdfError, tooComplex } from '../pdf-fault.ts'
import type { InspectionAnswer, InspectionTask } from './inspect-thread.ts'
import type { Inspection, InspectionOptions } from './inspection.ts'
import { openThreadPool } from '#core/platform/threads/thread-pool.ts'

export interface InspectionPool {
  /**
   * Inspects the PDF in this file. Throws DomainError: one of DOCUMENT_INVALID, DOCUMENT_ENCRYPTED, DOCUMENT_XFA,
   * DOCUMENT_CHANGES_LOCKED, DOCUMENT_ACTIVE_CONTENT, DOCUMENT_TOO_COMPLEX (also after 20 s or out of memory) with a sentence for
   * the uploader, or SERVICE_UNAVAILABLE when too many documents wait or it has waited for 30 s. Throws the signal's reason when it is aborted.
   */
  inspect(path: string, options: InspectionOptions, signal?: AbortSignal): Promise<Inspection>
  /** Waits for running inspections. */
  close(): Promise<void>
}

const LIMIT_SECONDS = 20
const HEAP_MEBIBYTES = 192
/** The most that is unpacked of any document, and what is not swept yet, come to half of it. */
const BUFFER_MEBIBYTES = 512
/** A crowd of usual documents is through in a second or two; hostile ones take all the time that they may, and nobody waits for many of those. */
const WAITING = 128
const WAIT_SECONDS = 30

export interface InspectionPoolOptions {
  readonly threads: number
}

export function openInspectionPool({ threads }: InspectionPoolOptions): InspectionPool {
  const pool = openThreadPool<InspectionTask, InspectionAnswer>({
    pool: 'inspection',
    module: new URL('inspect-thread.ts', import.meta.url),
    functionName: 'inspect',
    threads,
    maxWaiting: WAITING,
    waitSeconds: WAIT_SECONDS,
    limitSeconds: LIMIT_SECONDS,
    heapMebibytes: HEAP_MEBIBYTES,
    bufferMebibytes: BUFFER_MEBIBYTES,
  })
  return {
    async inspect(path, options, signal) {
      const outcome = await pool.run({ path, ...options }, signal)
      if (!outcome.finished) throw refusal(tooComplex('reading it takes too long or needs too much memory'))
      if (!outcome.answer.ok) throw refusal(outcome.answer)
      return outcome.answer.inspection
    },
    close: () => pool.close(),
  }
}

function refusal({ code, message }: Pick<PdfError, 'code' | 'message'>): DomainError {
  return new DomainError(code, { message })
}
