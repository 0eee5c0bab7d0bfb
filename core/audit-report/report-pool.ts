// Draws audit reports on a separate thread: a long trail takes seconds, which must block neither the event loop nor a seal.
import type { SealPlan } from '#core/pdf/plan/seal-plan.ts'
import type { AuditReport } from './audit-report.ts'
import type { ReportAnswer } from './report-thread.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { asBuffer } from '#core/platform/threads/transferable.ts'
import { openThreadPool } from '#core/platform/threads/thread-pool.ts'

export interface ReportPool {
  /** Draws the report as a PDF; `plan`: of a final one, for its seal. Owners take turns. Throws SERVICE_UNAVAILABLE when too many requests of this one wait, or when drawing takes too long. */
  draw(report: AuditReport, owner: string): Promise<{ pdf: Buffer; plan: SealPlan | null }>
  /** Waits for running tasks. */
  close(): Promise<void>
}

/** Wall-clock time. One core draws over a thousand entries a second; most envelopes have about twenty. */
const LIMIT_SECONDS = 60
const HEAP_MEBIBYTES = 512
/** 40 MB less while reports are made, for 5 % more processor time. */
const YOUNG_MEBIBYTES = 8
/** Two thirds are used when a trail is so long that the heap is full. */
const BUFFER_MEBIBYTES = 1024
const WAITING = 16

/** The thread starts with the first report and ends when idle, because reports are rare. */
export function openReportPool(): ReportPool {
  const pool = openThreadPool<AuditReport, ReportAnswer>({
    pool: 'report',
    module: new URL('report-thread.ts', import.meta.url),
    functionName: 'runReportTask',
    threads: 1,
    startAtOnce: 0,
    maxWaiting: WAITING,
    limitSeconds: LIMIT_SECONDS,
    heapMebibytes: HEAP_MEBIBYTES,
    youngMebibytes: YOUNG_MEBIBYTES,
    bufferMebibytes: BUFFER_MEBIBYTES,
  })
  return {
    async draw(report, owner) {
      const outcome = await pool.run(report, { owner })
      if (!outcome.finished) throw new DomainError('SERVICE_UNAVAILABLE')
      return { ...outcome.answer, pdf: asBuffer(outcome.answer.pdf) }
    },
    close: () => pool.close(),
  }
}
