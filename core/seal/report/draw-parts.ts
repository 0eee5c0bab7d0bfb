// The parts of a report below its head: who signed what, and what happened, row by row.
import type { AuditReport } from '#core/audit/audit-report.ts'
import { paragraph } from './draw-head.ts'
import { type Cell, drawTable } from './draw-table.ts'
import { readableSize, readableTime, splitTime } from './format.ts'
import type { Sheets } from './sheets.ts'
import { STYLE } from './style.ts'
import type { TypeSetter } from './text-block.ts'

/** Room that a heading wants below it, so that it does not end a page. */
const HEADING_ROOM = 80

export async function drawSigners(sheets: Sheets, setter: TypeSetter, { signers }: AuditReport): Promise<void> {
  await heading(sheets, setter, 'Signers')
  const columns = [
    { title: 'Order', width: 44 },
    { title: 'Name', width: 170 },
    { title: 'E-mail', width: 160 },
    { title: 'Signed', width: 120 },
  ]
  const rows = signers.map(({ order, name, email, status, signedAt }): Cell[] => [
    [{ text: String(order), style: STYLE.body }],
    [{ text: name, style: STYLE.strong }],
    [{ text: email, style: STYLE.body }],
    [
      {
        text: signedAt ? readableTime(signedAt) : (NOT_SIGNED[status] ?? 'not signed'),
        style: signedAt ? STYLE.body : STYLE.small,
      },
    ],
  ])
  await drawTable(sheets, setter, columns, rows)
}

const NOT_SIGNED: Readonly<Record<string, string>> = {
  PENDING: 'not yet asked',
  SENT: 'asked, not yet signed',
  VIEWED: 'read, not yet signed',
  EXPIRED: 'did not sign in time',
  CANCELLED: 'not signed, cancelled',
}

export async function drawDocuments(sheets: Sheets, setter: TypeSetter, { documents }: AuditReport): Promise<void> {
  if (documents.length === 0) return
  await heading(sheets, setter, 'Documents')
  const columns = [
    { title: 'File', width: 170 },
    { title: 'SHA-256', width: 324 },
  ]
  const rows = documents.map(({ name, sizeBytes, sha256, sealedSha256 }): Cell[] => [
    [
      { text: name, style: STYLE.strong, mostLines: 3 },
      { text: readableSize(sizeBytes), style: STYLE.small },
    ],
    [
      { text: 'Original, as it was uploaded', style: STYLE.label },
      { text: sha256, style: STYLE.body },
      ...(sealedSha256
        ? [
            { text: 'Sealed copy', style: STYLE.label },
            { text: sealedSha256, style: STYLE.body },
          ]
        : [{ text: 'No sealed copy', style: STYLE.small }]),
    ],
  ])
  await drawTable(sheets, setter, columns, rows)
}

export async function drawEvents(sheets: Sheets, setter: TypeSetter, { events }: AuditReport): Promise<void> {
  await heading(sheets, setter, 'What happened')
  const columns = [
    { title: 'No.', width: 34 },
    { title: 'Time (UTC)', width: 82 },
    { title: 'Who', width: 136 },
    { title: 'What', width: 242 },
  ]
  await drawTable(sheets, setter, columns, rowsOf(events))
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
      { text: who, style: STYLE.strong, mostLines: 3 },
      { text: as, style: STYLE.small, mostLines: 3 },
    ],
    [{ text: what, style: STYLE.body }, ...(origin ? [{ text: origin, style: STYLE.small, mostLines: 2 }] : [])],
  ]
}

/** With room below it for what it is the heading of. */
export async function heading(sheets: Sheets, setter: TypeSetter, text: string): Promise<void> {
  sheets.skip(18)
  sheets.ensure(HEADING_ROOM)
  await paragraph(sheets, setter, text, STYLE.heading)
  sheets.skip(4)
}
