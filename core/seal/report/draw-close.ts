// The end of a report: the hash with which the trail ends, and how anybody can check what stands above it.
import type { AuditReport } from '#core/audit/audit-report.ts'
import { paragraph } from './draw-head.ts'
import { heading } from './draw-parts.ts'
import { readableTime } from './format.ts'
import type { Sheets } from './sheets.ts'
import { COLOUR, CONTENT_WIDTH, PAGE, STYLE } from './style.ts'
import type { TypeSetter } from './text-block.ts'

export async function drawClose(sheets: Sheets, setter: TypeSetter, report: AuditReport): Promise<void> {
  await heading(sheets, setter, 'How the trail ends')
  await paragraph(sheets, setter, `The hash of entry ${report.chain.rows}, the last one (SHA-256):`, STYLE.body)
  await paragraph(sheets, setter, report.chain.headHash, STYLE.strong)
  await heading(sheets, setter, 'How to check it')
  for (const text of checks(report)) {
    await paragraph(sheets, setter, text, STYLE.body)
    sheets.skip(4)
  }
}

function checks({ envelope, verifyUrl }: AuditReport): string[] {
  return [
    'The entries. Each is bound to the one before it: its hash is the SHA-256 of the text “sealwright audit v1”, a zero byte, the hash before it (32 zero bytes before the first), and the entry as JSON in the one form of RFC 8785. The same trail as JSON, with every hash, is at ' +
      `/settings/api/envelopes/${envelope.id}/audit. Whoever keeps the hash above can tell at any later time that nothing before it was changed.`,
    'The installation. Each hash also has a code under a key that the database does not hold. An operator checks all of them with: sealwright audit verify',
    `The documents. A file in your hands is one of those above when its SHA-256 is the same (sha256sum file.pdf). A sealed copy carries its signature in itself: PDF readers check it, so does ${verifyUrl}, and without any server: sealwright verify file.pdf. The reason of that signature names the entry with which the signing ended, and its hash.`,
  ]
}

/** Below the content of every page: what this is, when it was made, which page of how many. */
export async function drawFooters(sheets: Sheets, setter: TypeSetter, { envelope, madeAt }: AuditReport): Promise<void> {
  const top = PAGE.bottom - 16
  await sheets.onEveryPage(async ({ number, count }) => {
    sheets.fill(COLOUR.brand, { x: PAGE.left, top: PAGE.height - 32, width: CONTENT_WIDTH, height: 1.5 })
    sheets.fill(COLOUR.line, { x: PAGE.left, top: top + 6, width: CONTENT_WIDTH, height: 0.5 })
    const what = await setter.layOut(
      `Audit trail of envelope ${envelope.id}, as of ${readableTime(madeAt)}`,
      STYLE.small,
      CONTENT_WIDTH - 80,
    )
    const page = await setter.layOut(`Page ${number} of ${count}`, STYLE.small, 80)
    const width = ((page.lines[0]?.shaped.width ?? 0) * STYLE.small.size) / 1000
    await sheets.text(what, PAGE.left, top)
    await sheets.text(page, PAGE.right - width, top)
  })
}
