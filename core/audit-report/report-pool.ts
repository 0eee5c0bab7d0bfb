// Draws audit reports on a separate thread: a long trail takes seconds, which must block neither the event loop nor a seal.
import type { SealPlan } from '#core/pdf/plan/seal-plan.ts'
import type { AuditReport } from './audit-report.ts'
import type { ReportAnswer } from './report-thread.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { asBuffer } from '#core/platform/threads/transferable.ts'
import { THREAD_LIMITS } from '#core/platform/threads/thread-limits.ts'
import { openThreadPool } from '#core/platform/threads/thread-pool.ts'

export interface ReportPool {
  /** Draws the report as a PDF; `plan`: of a final one, for its seal. Owners take turns. Throws SERVICE_UNAVAILABLE when too many requests of this one wait, or when drawing takes too long. */
  draw(report: AuditReport, owner: string): Promise<{ pdf: Buffer; plan: SealPlan | null }>
  /** Waits for running tasks. */
  close(): Promise<void>
}

/** The thread starts with the first report and ends when idle, because reports are rare. */
export function openReportPool(): ReportPool {
  const pool = openThreadPool<AuditReport, ReportAnswer>({
    pool: 'report',
    ...THREAD_LIMITS.report,
    module: new URL('report-thread.ts', import.meta.url),
    functionName: 'runReportTask',
    threads: 1,
    startAtOnce: 0,
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
