// The head of a report: first whether the trail is intact, then the facts of the envelope.
import type { AuditReport } from '#core/audit-report/audit-report.ts'
import type { ReportTexts } from '#core/audit-report/locales/texts.ts'
import type { Canvas } from './sheets.ts'
import { readableTime } from './format.ts'
import { COLOUR, CONTENT_WIDTH, PAGE, STYLE, type TextStyle } from './style.ts'

const PANEL_PADDING = 10
const COLUMN_WIDTH = CONTENT_WIDTH / 2
const LABEL_WIDTH = 66

export async function drawHead(canvas: Canvas, report: AuditReport): Promise<void> {
  const { sheets, texts } = canvas
  await paragraph(canvas, `${texts.title} · ${report.organisation}`, STYLE.kicker)
  sheets.skip(5)
  await paragraph(canvas, report.envelope.title, STYLE.title)
  sheets.skip(11)
  await drawVerdict(canvas, report.chain)
  sheets.skip(8)
  await paragraph(canvas, texts.stages[report.stage](report.chain.rows), STYLE.strong)
  sheets.skip(10)
  await drawFacts(canvas, factsOf(report, texts))
}

/** A paragraph as wide as the page. */
export async function paragraph({ sheets, setter }: Canvas, text: string, style: TextStyle): Promise<void> {
  const block = await setter.layOut(text, style, CONTENT_WIDTH)
  sheets.ensure(block.height)
  await sheets.text(block, PAGE.left, sheets.y)
  sheets.skip(block.height)
}

async function drawVerdict({ sheets, setter, texts }: Canvas, chain: AuditReport['chain']): Promise<void> {
  const { valid, rows, firstBadSeq } = chain
  const width = CONTENT_WIDTH - 2 * PANEL_PADDING
  const explanation = valid ? texts.intactBody(rows) : texts.brokenBody(firstBadSeq ?? 0)
  const blocks = [
    await setter.layOut(valid ? texts.intact : texts.broken, valid ? STYLE.good : STYLE.bad, width),
    await setter.layOut(explanation, STYLE.body, width),
  ]
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

function factsOf({ envelope, organisation, chain }: AuditReport, { facts, envelopeStatus }: ReportTexts): Fact[] {
  const { endedAt, expiresAt } = envelope
  return [
    [facts.envelope, envelope.id],
    [facts.status, envelopeStatus[envelope.status]],
    [facts.workspace, envelope.workspace],
    [facts.created, readableTime(envelope.createdAt)],
    [facts.requestedBy, organisation],
    [facts.createdBy, envelope.createdBy],
    [facts.code, envelope.otpRequired ? facts.codeRequired : facts.codeNotRequired],
    [facts.order, envelope.sequentialSigning ? facts.inTurn : facts.inAnyOrder],
    [facts.entries, String(chain.rows)],
    endedAt ? [facts.ended, readableTime(endedAt)] : [facts.expires, expiresAt ? readableTime(expiresAt) : facts.never],
  ]
}

/** Two columns of label and value, read from left to right. */
async function drawFacts({ sheets, setter }: Canvas, facts: readonly Fact[]): Promise<void> {
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
