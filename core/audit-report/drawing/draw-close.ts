// The end of a report: the last hash of the trail, and how to check the entries above.
import type { AuditReport } from '#core/audit-report/audit-report.ts'
import type { Canvas } from './sheets.ts'
import { paragraph } from './draw-head.ts'
import { heading } from './draw-parts.ts'
import { readableTime } from './format.ts'
import { COLOUR, CONTENT_WIDTH, PAGE, STYLE } from './style.ts'

export async function drawClose(canvas: Canvas, { chain, envelope, stage, verifyUrl }: AuditReport): Promise<void> {
  const { end, checks } = canvas.texts
  await heading(canvas, end.heading)
  await paragraph(canvas, end.hash(chain.rows), STYLE.body)
  await paragraph(canvas, chain.headHash, STYLE.strong)
  await heading(canvas, checks.heading)
  const path = `/settings/api/envelopes/${envelope.id}/audit`
  const own = stage === 'FINAL' ? [checks.report] : []
  for (const text of [...own, checks.entries(path), checks.installation, checks.documents(verifyUrl)]) {
    await paragraph(canvas, text, STYLE.body)
    canvas.sheets.skip(4)
  }
}

const PAGE_NUMBER_WIDTH = 80

/** Header line and footer of every page: document, time of creation, page number and page count; above, whether the report is not final. */
export async function drawFooters({ sheets, setter, texts }: Canvas, { envelope, stage, madeAt }: AuditReport): Promise<void> {
  const top = PAGE.bottom - 16
  const what = await setter.layOut(
    texts.footer(envelope.id, readableTime(madeAt)),
    STYLE.small,
    CONTENT_WIDTH - PAGE_NUMBER_WIDTH,
  )
  const mark = await setter.layOut(stage === 'FINAL' ? '' : texts.marks[stage], STYLE.mark, CONTENT_WIDTH)
  await sheets.onEveryPage(async ({ number, count }) => {
    sheets.fill(COLOUR.brand, { x: PAGE.left, top: PAGE.height - 32, width: CONTENT_WIDTH, height: 1.5 })
    sheets.fill(COLOUR.line, { x: PAGE.left, top: top + 6, width: CONTENT_WIDTH, height: 0.5 })
    const page = await setter.layOut(texts.page(number, count), STYLE.small, PAGE_NUMBER_WIDTH)
    const width = ((page.lines[0]?.shaped.width ?? 0) * STYLE.small.size) / 1000
    await sheets.text(mark, PAGE.left, PAGE.height - 37)
    await sheets.text(what, PAGE.left, top)
    await sheets.text(page, PAGE.right - width, top)
  })
}
