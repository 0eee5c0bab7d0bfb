// The signatures of a report: each as it is in the documents, beside what the signer agreed to.
import type { AuditReport, ReportedSigner } from '#core/audit-report/audit-report.ts'
import type { Canvas } from './sheets.ts'
import { heading } from './draw-parts.ts'
import { readableTime } from './format.ts'
import { COLOUR, CONTENT_WIDTH, PAGE, STYLE, type TextStyle } from './style.ts'

const PICTURE_WIDTH = 216
const GAP = 14
const PADDING = 8
const TEXT_WIDTH = CONTENT_WIDTH - PICTURE_WIDTH - GAP

export async function drawSignatures(canvas: Canvas, { signers }: AuditReport): Promise<void> {
  const signed = signers.filter(({ signature }) => signature !== null)
  if (signed.length === 0) return
  await heading(canvas, canvas.texts.signatures.heading)
  for (const signer of signed) await drawSignature(canvas, signer)
}

async function drawSignature(canvas: Canvas, { name, signature }: ReportedSigner): Promise<void> {
  if (!signature) return
  const { sheets, setter, texts } = canvas
  const words = texts.signatures
  const agreed = signature.consent
  const lines: [string, TextStyle][] = [
    [name, STYLE.strong],
    [words.signed(readableTime(signature.at)), STYLE.body],
    [words.id(signature.id), STYLE.small],
    [agreed ? words.consent(agreed.version, agreed.language) : words.noConsent, STYLE.label],
    ...(agreed?.text ? [[agreed.text, STYLE.body] satisfies [string, TextStyle]] : []),
  ]
  const blocks = await Promise.all(lines.map(([text, style]) => setter.layOut(text, style, TEXT_WIDTH)))
  const picture = signature.picture ? sheets.embed(signature.picture) : undefined
  const pictureHeight = picture ? (picture.height * PICTURE_WIDTH) / picture.width : 0
  const textHeight = blocks.reduce((sum, block) => sum + block.height, 0)
  const height = Math.max(pictureHeight, textHeight) + 2 * PADDING
  sheets.ensure(height)
  const top = sheets.y - PADDING
  if (picture) sheets.form(picture, { x: PAGE.left, top, width: PICTURE_WIDTH })
  else await sheets.text(await setter.layOut(words.noPicture, STYLE.small, PICTURE_WIDTH), PAGE.left, top)
  let y = top
  for (const block of blocks) {
    await sheets.text(block, PAGE.left + PICTURE_WIDTH + GAP, y)
    y -= block.height
  }
  sheets.skip(height)
  sheets.fill(COLOUR.line, { x: PAGE.left, top: sheets.y, width: CONTENT_WIDTH, height: 0.5 })
}
