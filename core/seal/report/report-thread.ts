// What runs on the thread of the report pool.
import type { AuditReport } from '#core/audit/audit-report.ts'
import { type Given, giveAnswer } from '#core/threads/give-answer.ts'
import { inOwnMemory, type OwnBytes } from '#core/threads/own-memory.ts'
import { drawReport } from './draw-report.ts'

/** Answers with the bytes of the PDF. */
export async function runReportTask(report: AuditReport): Promise<Given<OwnBytes>> {
  const pdf = inOwnMemory(await drawReport(report))
  return giveAnswer(pdf, [pdf.buffer])
}
