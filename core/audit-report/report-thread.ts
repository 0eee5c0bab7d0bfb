// Runs on the thread of the report pool.
import type { Inspection } from '#core/pdf/inspect/inspection.ts'
import { type Given, transferResult } from '#core/platform/threads/transfer-result.ts'
import { asBuffer, toTransferable, type TransferableBytes } from '#core/platform/threads/transferable.ts'
import type { AuditReport } from './audit-report.ts'
import { drawReport } from './drawing/draw-report.ts'
import { planSeal } from './plan-seal.ts'

export interface ReportAnswer {
  pdf: TransferableBytes
  /** Of a final report, for its seal. */
  inspection: Inspection | null
}

/** Returns the bytes of the PDF. */
export async function runReportTask(report: AuditReport): Promise<Given<ReportAnswer>> {
  const pdf = toTransferable(await drawReport(report))
  const inspection = report.stage === 'FINAL' ? planSeal(asBuffer(pdf)) : null
  return transferResult({ pdf, inspection }, [pdf.buffer])
}
