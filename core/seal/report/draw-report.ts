// The audit report of an envelope as a PDF. All of it is real text in any script: it can be searched, copied and read aloud.
import { PDFDocument } from 'pdf-lib'
import type { AuditReport } from '#core/audit/audit-report.ts'
import { drawClose, drawFooters } from './draw-close.ts'
import { drawHead } from './draw-head.ts'
import { drawDocuments, drawEvents, drawSigners } from './draw-parts.ts'
import { openSheets } from './sheets.ts'
import { openTypeSetter } from './text-block.ts'

/** The bytes of the file. The same report gives the same pages. */
export async function drawReport(report: AuditReport): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  describe(document, report)
  const sheets = openSheets(document, `${report.envelope.id} ${report.chain.headHash}`)
  const setter = openTypeSetter()
  await drawHead(sheets, setter, report)
  await drawSigners(sheets, setter, report)
  await drawDocuments(sheets, setter, report)
  await drawEvents(sheets, setter, report)
  await drawClose(sheets, setter, report)
  await drawFooters(sheets, setter, report)
  sheets.finish()
  return document.save({ objectsPerTick: Infinity, updateFieldAppearances: false })
}

function describe(document: PDFDocument, { envelope, madeAt }: AuditReport): void {
  document.setTitle(`Audit trail: ${envelope.title}`, { showInWindowTitleBar: true })
  document.setLanguage('en')
  document.setProducer('Sealwright')
  document.setCreationDate(madeAt)
  document.setModificationDate(madeAt)
}
