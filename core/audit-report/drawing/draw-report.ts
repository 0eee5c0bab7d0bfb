// Draws the audit report of an envelope as a PDF. It contains real text in any script: it can be searched, copied and read aloud.
import { PDFDocument } from 'pdf-lib'
import type { AuditReport } from '#core/audit-report/audit-report.ts'
import { reportTexts } from '#core/audit-report/locales/choose-texts.ts'
import type { ReportTexts } from '#core/audit-report/locales/texts.ts'
import { drawClose, drawFooters } from './draw-close.ts'
import { drawHead } from './draw-head.ts'
import { drawDocuments, drawEvents, drawSigners } from './draw-parts.ts'
import { drawSignatures } from './draw-signatures.ts'
import { openSheets } from './sheets.ts'
import { openTypeSetter } from './text-block.ts'

/** Returns the bytes of the file. The same report gives the same pages. */
export async function drawReport(report: AuditReport): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const texts = reportTexts(report.locale)
  describe(document, report, texts)
  const sheets = openSheets(document, `${report.envelope.id} ${report.chain.headHash}`)
  const canvas = { sheets, setter: openTypeSetter(), texts }
  await drawHead(canvas, report)
  await drawSigners(canvas, report)
  await drawSignatures(canvas, report)
  await drawDocuments(canvas, report)
  await drawEvents(canvas, report)
  await drawClose(canvas, report)
  await drawFooters(canvas, report)
  sheets.finish()
  return document.save({ objectsPerTick: Infinity, updateFieldAppearances: false })
}

function describe(document: PDFDocument, { envelope, locale, madeAt }: AuditReport, { title }: ReportTexts): void {
  document.setTitle(`${title}: ${envelope.title}`, { showInWindowTitleBar: true })
  document.setLanguage(locale)
  document.setProducer('Sealwright')
  document.setCreationDate(madeAt)
  document.setModificationDate(madeAt)
}
