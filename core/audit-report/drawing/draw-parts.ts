// The sections of a report below its head: signers, documents, and the events row by row.
import type { AuditReport } from '#core/audit-report/audit-report.ts'
import type { Canvas } from './sheets.ts'
import { paragraph } from './draw-head.ts'
import { type Cell, drawTable } from './draw-table.ts'
import { readableSize, readableTime, splitTime } from './format.ts'
import { STYLE } from './style.ts'

/** Space that must be left below a heading, so that it does not end a page. */
const HEADING_ROOM = 80

export async function drawSigners(canvas: Canvas, { signers }: AuditReport): Promise<void> {
  const { signers: words, signerStatus } = canvas.texts
  await heading(canvas, words.heading)
  const columns = [
    { title: words.order, width: 44 },
    { title: words.name, width: 170 },
    { title: words.email, width: 160 },
    { title: words.signed, width: 120 },
  ]
  const rows = signers.map(({ order, name, email, status, signedAt }): Cell[] => [
    [{ text: String(order), style: STYLE.body }],
    [{ text: name, style: STYLE.strong }],
    [{ text: email, style: STYLE.body }],
    [signedAt ? { text: readableTime(signedAt), style: STYLE.body } : { text: signerStatus[status], style: STYLE.small }],
  ])
  await drawTable(canvas, columns, rows)
}

export async function drawDocuments(canvas: Canvas, { documents }: AuditReport): Promise<void> {
  if (documents.length === 0) return
  const { heading: title, file, original, sealed, notSealed } = canvas.texts.documents
  await heading(canvas, title)
  const columns = [
    { title: file, width: 170 },
    { title: 'SHA-256', width: 324 },
  ]
  const rows = documents.map(({ name, sizeBytes, sha256, sealedSha256 }): Cell[] => [
    [
      { text: name, style: STYLE.strong, maxLines: 3 },
      { text: readableSize(sizeBytes), style: STYLE.small },
    ],
    [
      { text: original, style: STYLE.label },
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
