// The head of a report: what it is about, and first of all whether the trail can be believed.
import type { AuditReport } from '#core/audit/audit-report.ts'
import { readableTime } from './format.ts'
import type { Sheets } from './sheets.ts'
import { COLOUR, CONTENT_WIDTH, PAGE, STYLE } from './style.ts'
import type { TypeSetter } from './text-block.ts'

const PANEL_PADDING = 10
const COLUMN_WIDTH = CONTENT_WIDTH / 2
const LABEL_WIDTH = 62

export async function drawHead(sheets: Sheets, setter: TypeSetter, report: AuditReport): Promise<void> {
  await paragraph(sheets, setter, `Audit trail · ${report.organisation}`, STYLE.kicker)
  sheets.skip(5)
  await paragraph(sheets, setter, report.envelope.title, STYLE.title)
  sheets.skip(11)
  await drawVerdict(sheets, setter, report.chain)
  sheets.skip(14)
  await drawFacts(sheets, setter, factsOf(report))
}

/** A paragraph as wide as the page. */
export async function paragraph(
  sheets: Sheets,
  setter: TypeSetter,
  text: string,
  style: (typeof STYLE)[keyof typeof STYLE],
): Promise<void> {
  const block = await setter.layOut(text, style, CONTENT_WIDTH)
  sheets.ensure(block.height)
  await sheets.text(block, PAGE.left, sheets.y)
  sheets.skip(block.height)
}

async function drawVerdict(
  sheets: Sheets,
  setter: TypeSetter,
  { valid, rows, firstBadSeq }: AuditReport['chain'],
): Promise<void> {
  const title = valid ? 'The trail is intact' : 'The trail is not intact'
  const said = valid
    ? `${rows === 1 ? 'Its one entry is' : `Its ${rows} entries are`} what this installation wrote, each in its place, and none is missing.`
    : `Entry ${firstBadSeq ?? 0} was changed, moved or taken out after it had been written. What stands from there on proves nothing.`
  const width = CONTENT_WIDTH - 2 * PANEL_PADDING
  const blocks = [await setter.layOut(title, valid ? STYLE.good : STYLE.bad, width), await setter.layOut(said, STYLE.body, width)]
  const height = blocks.reduce((sum, block) => sum + block.height, 0) + 2 * PANEL_PADDING - 3
  const area = { x: PAGE.left, top: sheets.y, height }
  sheets.fill(valid ? COLOUR.goodTint : COLOUR.badTint, { ...area, width: CONTENT_WIDTH })
  sheets.fill(valid ? COLOUR.good : COLOUR.bad, { ...area, width: 3 })
  let top = sheets.y - PANEL_PADDING + 1
  for (const block of blocks) {
    await sheets.text(block, PAGE.left + PANEL_PADDING + 3, top)
    top -= block.height
  }
  sheets.skip(height)
}

type Fact = readonly [label: string, value: string]

function factsOf({ envelope, organisation, chain }: AuditReport): Fact[] {
  return [
    ['Envelope', envelope.id],
    ['Status', envelope.status],
    ['Workspace', envelope.workspace],
    ['Created', readableTime(envelope.createdAt)],
    ['Organisation', organisation],
    ['Created by', envelope.createdBy],
    ['Entries', String(chain.rows)],
    envelope.endedAt
      ? ['Ended', readableTime(envelope.endedAt)]
      : ['Expires', envelope.expiresAt ? readableTime(envelope.expiresAt) : 'never'],
  ]
}

/** Two columns of label and value, read from left to right. */
async function drawFacts(sheets: Sheets, setter: TypeSetter, facts: readonly Fact[]): Promise<void> {
  for (let index = 0; index < facts.length; index += 2) {
    const pair = facts.slice(index, index + 2)
    const laidOut = await Promise.all(
      pair.map(async ([label, value]) => ({
        label: await setter.layOut(label, STYLE.label, LABEL_WIDTH),
        value: await setter.layOut(value, STYLE.body, COLUMN_WIDTH - LABEL_WIDTH - 8),
      })),
    )
    const height = Math.max(...laidOut.map(({ value }) => value.height), STYLE.body.leading) + 2.5
    sheets.ensure(height)
    for (const [column, { label, value }] of laidOut.entries()) {
      const x = PAGE.left + column * COLUMN_WIDTH
      await sheets.text(label, x, sheets.y - 1.2)
      await sheets.text(value, x + LABEL_WIDTH, sheets.y)
    }
    sheets.skip(height)
  }
}
