// What runs on the thread of the report pool.
import type { AuditReport } from '#core/audit/audit-report.ts'
import { drawReport } from './draw-report.ts'

/** Answers with the bytes of the PDF. */
export async function runReportTask(report: AuditReport): Promise<Uint8Array> {
  return drawReport(report)
}
