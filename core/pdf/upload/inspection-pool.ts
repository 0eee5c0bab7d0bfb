// Inspects uploads in processes of their own: a hostile document can use up all time and memory that it gets, and should find no secret.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { type PdfError, tooComplex } from '../pdf-error.ts'
import type { InspectionAnswer } from './inspect-thread.ts'
import type { InspectedUpload, UploadOptions } from '../inspect/inspection.ts'
import type { SemaphoreCaller } from '#core/platform/threads/semaphore.ts'
import { openProcessPool } from '#core/platform/processes/process-pool.ts'

export interface InspectionPool {
  /** A document is on its way: starts the first process, if none runs. */
  prepare(): void
  /**
   * Inspects the PDF in this file, and replaces its bytes when the document has to be normalised. Throws DomainError: DOCUMENT_INVALID, DOCUMENT_ENCRYPTED, DOCUMENT_XFA, DOCUMENT_CHANGES_LOCKED,
   * DOCUMENT_ACTIVE_CONTENT, DOCUMENT_SIGNATURE_BROKEN or DOCUMENT_TOO_COMPLEX (also after 20 s or out of memory) with a sentence for the uploader, or
   * SERVICE_UNAVAILABLE when too many documents of its owner wait, this one has waited 30 s or its process was killed. Throws the signal's reason when aborted.
   * Owners take turns, and each has one process at most.
   */
  inspect(path: string, options: UploadOptions, caller: SemaphoreCaller): Promise<InspectedUpload>
  /** Waits for running inspections. */
  close(): Promise<void>
}

const LIMIT_SECONDS = 20
/** The limits of one process. The largest decoded document, with buffers that are not collected yet, takes half of its resident memory. */
export const INSPECTION_MEMORY = { heapMebibytes: 192, memoryMebibytes: 768 }
/** Most uploads of one owner that may wait: 128 usual documents take a second or two; hostile ones use their full time limit, and waiting for many of those is pointless. */
const MAX_WAITING = 128
const WAIT_SECONDS = 30

export interface InspectionPoolOptions {
  readonly processes: number
  /** Exports `inspect`, which runs in the processes. */
  readonly module: URL
  /** The folder of the uploads, or another one of the same file system. */
  readonly folder: string
}

export function openInspectionPool({ processes, module, folder }: InspectionPoolOptions): InspectionPool {
  const pool = openProcessPool<UploadOptions, InspectionAnswer>({
    pool: 'inspection',
    module,
    functionName: 'inspect',
    processes,
    folder,
    tasksPerOwner: 1,
    maxWaiting: MAX_WAITING,
    waitSeconds: WAIT_SECONDS,
    limitSeconds: LIMIT_SECONDS,
    ...INSPECTION_MEMORY,
  })
  return {
    prepare: () => pool.prepare(),
    async inspect(path, options, caller) {
      const outcome = await pool.run(path, options, caller)
      if (!outcome.finished) throw toDomainError(tooComplex('reading it takes too long or needs too much memory'))
      if (!outcome.answer.ok) throw toDomainError(outcome.answer)
      const { inspection, normalisation } = outcome.answer
      // A Buffer arrives from a process as a plain Uint8Array.
      return { inspection, normalisation: normalisation && { ...normalisation, sha256: Buffer.from(normalisation.sha256) } }
    },
    close: () => pool.close(),
  }
}

function toDomainError({ code, message }: Pick<PdfError, 'code' | 'message'>): DomainError {
  return new DomainError(code, { message })
}
