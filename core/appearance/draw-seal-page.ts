// The look of a seal: the drawn signature on its line; name, time and number; a QR code for the public check. Everything but the drawing is
// real text, so a seal can be searched, copied and read aloud.
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, type PDFPage, PDFRawStream } from 'pdf-lib'
import { extractForm } from '#core/pdf/increment/form-bundle.ts'
import { encodeForm } from '#core/pdf/increment/form-codec.ts'
import { decodePng } from '#core/png/decode-png.ts'
import { fitLine, fitTwoLines } from './fit-text.ts'
import { paintQr } from './paint-qr.ts'
import { openTextPainter, type TextPainter } from './paint-text.ts'
import { readPngParts } from '#core/png/read-png.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { splitGraphemes } from './shape-text.ts'
import { type InkImage, trimInk } from './trim-ink.ts'

export interface SealContents {
  signerName: string
  signerEmail: string
  signedAt: Date
  signatureId: string
  verificationCode: string
  /** The content of the QR code. */
  verifyUrl: string
  /** From checkSignatureImage. */
  imagePng: Buffer
}

const TEXT_LEFT = 10
const QR = { x: 154, y: 8, size: 56 }
const TEXT_WIDTH = QR.x - TEXT_LEFT - 8
const INK = { left: TEXT_LEFT, bottom: 42, width: 110, height: 24 }
/** Pixels per point: 288 dpi. */
const INK_DENSITY = 4
const BLACK = '0.07 0.09 0.13 rg'
const GREY = '0.36 0.4 0.46 rg'

/**
 * Draws the seal as an encoded FormBundle of SEAL_WIDTH x SEAL_HEIGHT points, when its signer signs. At sealing time nothing is drawn, and
 * no drawing library opens a user's document.
 */
export async function drawAppearance(contents: SealContents): Promise<Buffer> {
  return encodeForm(extractForm(await drawSealPage(contents)))
}

/** A one-page PDF of SEAL_WIDTH x SEAL_HEIGHT points that shows the seal and embeds all it needs. */
export async function drawSealPage(contents: SealContents): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([SEAL_WIDTH, SEAL_HEIGHT])
  const painter = openTextPainter(document, page, contents.signatureId)
  const content = [
    paintPanel(),
    paintInk(page, contents.imagePng),
    await paintName(painter, contents),
    await paintDetails(painter, contents),
    paintQr(contents.verifyUrl, QR),
  ].join('')
  page.node.set(PDFName.of('Contents'), document.context.register(deflated(document, Buffer.from(content, 'latin1'), {})))
  return Buffer.from(await document.save({ useObjectStreams: false, objectsPerTick: Infinity, updateFieldAppearances: false }))
}

// Opaque, so that the marker text and other content under it do not show through.
function paintPanel(): string {
  const [right, top] = [SEAL_WIDTH - 0.4, SEAL_HEIGHT - 0.4]
  return [
    `q 1 g 0.72 0.76 0.81 RG 0.6 w 0.4 0.4 ${right - 0.4} ${top - 0.4} re B`,
    `0.11 0.29 0.49 rg 0.4 0.4 2.6 ${top - 0.4} re f`,
    `0.72 0.76 0.81 RG 0.4 w ${TEXT_LEFT} ${INK.bottom - 1.5} m ${TEXT_LEFT + TEXT_WIDTH} ${INK.bottom - 1.5} l S Q\n`,
  ].join('\n')
}

function paintInk(page: PDFPage, imagePng: Buffer): string {
  const ink = trimInk(decodePng(readPngParts(imagePng)), INK.width * INK_DENSITY, INK.height * INK_DENSITY)
  if (!ink) return ''
  const key = page.node.newXObject('Ink', page.doc.context.register(toXObject(page.doc, ink))).toString()
  const scale = Math.min(INK.width / ink.width, INK.height / ink.height)
  return `q ${(ink.width * scale).toFixed(2)} 0 0 ${(ink.height * scale).toFixed(2)} ${INK.left} ${INK.bottom} cm ${key} Do Q\n`
}

async function paintName(painter: TextPainter, { signerName, signerEmail }: SealContents): Promise<string> {
  const box = { weight: 600, width: TEXT_WIDTH, size: 9, smallestSize: 6 } as const
  const lines = await fitTwoLines(splitGraphemes(signerName), box)
  // A name without a single glyph in any font is replaced by the email; the exact name stays in ActualText.
  const shown = lines.some(({ shaped }) => shaped.runs.length > 0) ? lines : [await fitLine(splitGraphemes(signerEmail), box)]
  const y = shown.length > 1 ? 33.6 : 31
  return `${BLACK}\n${await painter.paint(signerName, shown, { x: TEXT_LEFT, y, leading: 6.6 })}`
}

async function paintDetails(painter: TextPainter, contents: SealContents): Promise<string> {
  const rows = [
    { text: contents.signerEmail, y: 21.4, size: 6.2 },
    { text: contents.signedAt.toISOString().replace(/\.\d+Z$/, 'Z'), y: 14.8, size: 5.4 },
    { text: `ID ${contents.signatureId}`, y: 9.4, size: 4.8 },
    { text: `Code ${contents.verificationCode}`, y: 4.2, size: 4.8 },
  ]
  const operators = [GREY]
  for (const { text, y, size } of rows) {
    const line = await fitLine(splitGraphemes(text), { weight: 400, width: TEXT_WIDTH, size, smallestSize: 4.2 })
    operators.push(await painter.paint(text, [line], { x: TEXT_LEFT, y, leading: 0 }))
  }
  return operators.join('\n')
}

function toXObject(document: PDFDocument, { width, height, rgb }: InkImage): PDFRawStream {
  const entries = {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    ColorSpace: 'DeviceRGB',
    BitsPerComponent: 8,
  }
  return deflated(document, rgb, entries)
}

function deflated(document: PDFDocument, bytes: Buffer, entries: Record<string, string | number>): PDFRawStream {
  const compressed = deflateSync(bytes, { level: 9 })
  return PDFRawStream.of(document.context.obj({ ...entries, Filter: 'FlateDecode', Length: compressed.length }), compressed)
}
