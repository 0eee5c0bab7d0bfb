// Runs on the thread of the report pool.
import type { SealPlan } from '#core/pdf/plan/seal-plan.ts'
import { type Given, transferResult } from '#core/platform/threads/transfer-result.ts'
import { asBuffer, toTransferable, type TransferableBytes } from '#core/platform/threads/transferable.ts'
import type { AuditReport } from './audit-report.ts'
import { drawReport } from './drawing/draw-report.ts'
import { planSeal } from './plan-seal.ts'

export interface ReportAnswer {
  pdf: TransferableBytes
  /** Seal plan of a final report. */
  plan: SealPlan | null
}

/** Returns the bytes of the PDF. */
export async function runReportTask(report: AuditReport): Promise<Given<ReportAnswer>> {
  const pdf = toTransferable(await drawReport(report))
  const plan = report.stage === 'FINAL' ? planSeal(asBuffer(pdf)) : null
  return transferResult({ pdf, plan }, [pdf.buffer])
}
