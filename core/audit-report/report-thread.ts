// Runs on the thread of the report pool.
import type { AuditReport } from './audit-report.ts'
import { type Given, transferResult } from '#core/platform/threads/transfer-result.ts'
import { toTransferable, type TransferableBytes } from '#core/platform/threads/transferable.ts'
import { drawReport } from './drawing/draw-report.ts'

/** Returns the bytes of the PDF. */
export async function runReportTask(report: AuditReport): Promise<Given<TransferableBytes>> {
  const pdf = toTransferable(await drawReport(report))
  return transferResult(pdf, [pdf.buffer])
}
