// The sections of a report below its head: signers, documents, and the events row by row.
import type { AuditReport, ReportedSigner } from '#core/audit-report/audit-report.ts'
import type { ReportTexts } from '#core/audit-report/locales/texts.ts'
import type { Canvas } from './sheets.ts'
import { paragraph } from './draw-head.ts'
import { type Cell, drawTable } from './draw-table.ts'
import { readableSize, readableTime, splitTime } from './format.ts'
import { STYLE } from './style.ts'

/** Space that must be left below a heading, so that it does not end a page. */
const HEADING_ROOM = 80

export async function drawSigners(canvas: Canvas, { signers, envelope }: AuditReport): Promise<void> {
  const { signers: words, signerStatus } = canvas.texts
  await heading(canvas, words.heading)
  const columns = [
    { title: words.order, width: 34 },
    { title: words.name, width: 130 },
    { title: words.identity, width: 218 },
    { title: words.signed, width: 112 },
  ]
  const rows = signers.map((signer): Cell[] => [
    [{ text: String(signer.order), style: STYLE.body }],
    [
      { text: signer.name, style: STYLE.strong },
      { text: signer.email, style: STYLE.body },
    ],
    evidenceCell(canvas.texts, signer, envelope.otpRequired),
    [
      signer.signedAt
        ? { text: readableTime(signer.signedAt), style: STYLE.body }
        : { text: signerStatus[signer.status], style: STYLE.small },
    ],
  ])
  await drawTable(canvas, columns, rows)
  canvas.sheets.skip(3)
  await paragraph(canvas, canvas.texts.evidence.pages, STYLE.small)
}

function evidenceCell({ evidence }: ReportTexts, signer: ReportedSigner, otpRequired: boolean): Cell {
  const { linkMailedAt, codeAcceptedAt, openings, firstOpenedAt, onScreenMs } = signer
  const noCode = otpRequired ? evidence.codeNotEntered : evidence.codeNotRequired
  const opened = firstOpenedAt === null ? evidence.notOpened : evidence.opened(openings, readableTime(firstOpenedAt))
  const texts = [
    linkMailedAt === null ? evidence.linkNotMailed : evidence.linkMailed(readableTime(linkMailedAt)),
    codeAcceptedAt === null ? noCode : evidence.codeEntered(readableTime(codeAcceptedAt)),
    opened,
    ...(onScreenMs === null ? [] : [evidence.onScreen(Math.round(onScreenMs / 1000))]),
  ]
  return texts.map((text) => ({ text, style: STYLE.small }))
}

export async function drawDocuments(canvas: Canvas, { documents }: AuditReport): Promise<void> {
  if (documents.length === 0) return
  const { heading: title, file, uploaded, original, normalised, sealed, notSealed } = canvas.texts.documents
  await heading(canvas, title)
  const columns = [
    { title: file, width: 170 },
    { title: 'SHA-256', width: 324 },
  ]
  const rows = documents.map(({ name, sizeBytes, uploadSha256, sha256, sealedSha256 }): Cell[] => [
    [
      { text: name, style: STYLE.strong, maxLines: 3 },
      { text: readableSize(sizeBytes), style: STYLE.small },
    ],
    [
      ...(uploadSha256
        ? [
            { text: uploaded, style: STYLE.label },
            { text: uploadSha256, style: STYLE.body },
          ]
        : []),
      { text: uploadSha256 ? normalised : original, style: STYLE.label },
      { text: sha256, style: STYLE.body },
      { text: sealedSha256 ? sealed : notSealed, style: sealedSha256 ? STYLE.label : STYLE.small },
      ...(sealedSha256 ? [{ text: sealedSha256, style: STYLE.body }] : []),
    ],
  ])
  await drawTable(canvas, columns, rows)
}

export async function drawEvents(canvas: Canvas, { events }: AuditReport): Promise<void> {
  const words = canvas.texts.events
  await heading(canvas, words.heading)
  const columns = [
    { title: words.number, width: 34 },
    { title: words.time, width: 82 },
    { title: words.who, width: 136 },
    { title: words.what, width: 242 },
  ]
  await drawTable(canvas, columns, rowsOf(events))
}

function* rowsOf(events: AuditReport['events']): Generator<Cell[]> {
  for (const event of events) yield toRow(event)
}

function toRow({ seq, at, who, as, what, from, by }: AuditReport['events'][number]): Cell[] {
  const [date, clock] = splitTime(at)
  const origin = [from, by].filter((part) => part !== null && part !== '').join(' · ')
  return [
    [{ text: String(seq), style: STYLE.body }],
    [
      { text: date, style: STYLE.body },
      { text: clock, style: STYLE.small },
    ],
    [
      { text: who, style: STYLE.strong, maxLines: 3 },
      { text: as, style: STYLE.small, maxLines: 3 },
    ],
    [{ text: what, style: STYLE.body }, ...(origin ? [{ text: origin, style: STYLE.small, maxLines: 2 }] : [])],
  ]
}

/** Draws a heading with space for its content on the same page. */
export async function heading(canvas: Canvas, text: string): Promise<void> {
  canvas.sheets.skip(18)
  canvas.sheets.ensure(HEADING_ROOM)
  await paragraph(canvas, text, STYLE.heading)
  canvas.sheets.skip(4)
}
