// What runs on the thread of the report pool.
import type { AuditReport } from './audit-report.ts'
import { type Given, giveAnswer } from '#core/platform/threads/transfer-result.ts'
import { inOwnMemory, type OwnBytes } from '#core/platform/threads/transferable.ts'
import { drawReport } from './drawing/draw-report.ts'

/** Answers with the bytes of the PDF. */
export async function runReportTask(report: AuditReport): Promise<Given<OwnBytes>> {
  const pdf = inOwnMemory(await drawReport(report))
  return giveAnswer(pdf, [pdf.buffer])
}
