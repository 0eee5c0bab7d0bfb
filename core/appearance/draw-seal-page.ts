// The look of a seal at each of its sizes: name, time and number, the drawn signature, a QR code for the public check. Everything but the drawing is
// real text, so a seal can be searched, copied and read aloud.
import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, type PDFPage, PDFRawStream } from 'pdf-lib'
import { extractForm } from '#core/pdf/increment/form-bundle.ts'
import { encodeForm } from '#core/pdf/increment/form-codec.ts'
import { decodePng, type RgbaImage } from '#core/png/decode-png.ts'
import { fitLine } from './fit-text.ts'
import { openQrPainter } from './paint-qr.ts'
import { openTextPainter, type TextPainter } from './paint-text.ts'
import { readPngParts } from '#core/png/read-png.ts'
import { type Area, SEAL_LAYOUTS, type SealLayout } from './seal-layout.ts'
import type { SealContents } from './seal-contents.ts'
import { sealTexts, type SealText } from './seal-lines.ts'
import { SEAL_HEIGHT, SEAL_WIDTH } from '#core/pdf/placement/seal-box.ts'
import { splitGraphemes } from './shape-text.ts'
import { type InkImage, trimInk } from './trim-ink.ts'

/** Pixels per point: 288 dpi. */
const INK_DENSITY = 4
/** The widest that it is drawn. */
const INK_WIDTH = 80
const QR_LABEL = 'Scan to verify'
const QR_LABEL_BASELINE = 6
/** Fractions of the text's size: below the baseline, and the most between two baselines. */
const [DESCENT, WIDEST_LEADING] = [0.27, 1.36]
const BLACK = '0.07 0.09 0.13 rg'
const GREY = '0.36 0.4 0.46 rg'

/**
 * Draws the seal as an encoded FormBundle of SEAL_WIDTH x SEAL_HEIGHT points, when its signer signs. At sealing time nothing is drawn, and
 * no drawing library opens a user's document.
 */
export async function drawAppearance(contents: SealContents): Promise<Buffer> {
  return encodeForm(extractForm(await drawSealPage(contents)))
}

/** A PDF with one page of SEAL_WIDTH x SEAL_HEIGHT points for each of SEAL_LAYOUTS. */
export async function drawSealPage(contents: SealContents): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const first = document.addPage([SEAL_WIDTH, SEAL_HEIGHT])
  const painter = openTextPainter(document, first, contents.signatureId)
  const paintQr = openQrPainter(contents.verifyUrl)
  const ink = addInk(first, decodePng(readPngParts(contents.imagePng)))
  for (const [index, layout] of SEAL_LAYOUTS.entries()) {
    const page = index === 0 ? first : document.addPage([SEAL_WIDTH, SEAL_HEIGHT])
    // All layouts share fonts and drawing, so each is embedded once.
    page.node.set(PDFName.of('Resources'), first.node.Resources() ?? document.context.obj({}))
    const texts = await sealTexts(contents, layout, ink !== undefined)
    const content = [
      PANEL,
      ink && layout.ink ? paintInk(ink, layout.ink) : '',
      await paintTexts(painter, texts, layout),
      paintQr(layout.qr),
      layout.labelsQr ? await paintQrLabel(painter, layout) : '',
    ].join('')
    // Not deflated: extractForm does that.
    const stream = PDFRawStream.of(document.context.obj({ Length: content.length }), Buffer.from(content, 'latin1'))
    page.node.set(PDFName.of('Contents'), document.context.register(stream))
  }
  return Buffer.from(await document.save({ useObjectStreams: false, objectsPerTick: Infinity, updateFieldAppearances: false }))
}

// Only a frame: where the page has no room, its content stays readable below the seal.
const PANEL = [
  `q 0.72 0.76 0.81 RG 0.6 w 0.4 0.4 ${SEAL_WIDTH - 0.8} ${SEAL_HEIGHT - 0.8} re S`,
  `0.11 0.29 0.49 rg 0.4 0.4 2.2 ${SEAL_HEIGHT - 0.8} re f Q\n`,
].join('\n')

interface NamedInk {
  readonly key: string
  readonly width: number
  readonly height: number
}

function addInk(page: PDFPage, image: RgbaImage): NamedInk | undefined {
  const ink = trimInk(image, INK_WIDTH * INK_DENSITY, INK_WIDTH * INK_DENSITY)
  if (!ink) return undefined
  const key = page.node.newXObject('Ink', page.doc.context.register(toXObject(page.doc, ink))).toString()
  return { key, width: ink.width, height: ink.height }
}

function paintInk({ key, ...ink }: NamedInk, area: Area): string {
  const scale = Math.min(area.width / ink.width, area.height / ink.height)
  const [width, height] = [ink.width * scale, ink.height * scale]
  const [x, y] = [area.x + (area.width - width) / 2, area.y + (area.height - height) / 2]
  return `q ${width.toFixed(2)} 0 0 ${height.toFixed(2)} ${x.toFixed(2)} ${y.toFixed(2)} cm ${key} Do Q\n`
}

async function paintTexts(
  painter: TextPainter,
  texts: readonly SealText[],
  { text: area, textSize }: SealLayout,
): Promise<string> {
  const shown = texts.filter((text) => text.shown)
  const count = shown.reduce((sum, text) => sum + text.lines.length, 0)
  const leading = Math.min((area.height - textSize) / Math.max(count - 1, 1), textSize * WIDEST_LEADING)
  const operators: string[] = []
  const height = leading * (count - 1) + textSize
  let y = area.y + (area.height + height) / 2 - textSize * (1 - DESCENT)
  for (const { name, text, lines: own } of shown) {
    operators.push(name === 'name' ? BLACK : GREY, await painter.paint(text, own, { x: area.x, y, leading }))
    y -= own.length * leading
  }
  const dropped = texts.filter((text) => !text.shown)
  for (const { text, lines: own } of dropped)
    operators.push(await painter.paint(text, own, { x: area.x, y: area.y + textSize * DESCENT, leading }, { hidden: true }))
  return operators.join('\n')
}

async function paintQrLabel(painter: TextPainter, { qr, textSize }: SealLayout): Promise<string> {
  const line = await fitLine(splitGraphemes(QR_LABEL), { weight: 400, width: qr.size, size: textSize, smallestSize: 6 })
  const width = (line.shaped.width * line.size) / 1000
  return `${GREY}\n${await painter.paint(QR_LABEL, [line], { x: qr.x + (qr.size - width) / 2, y: QR_LABEL_BASELINE, leading: 0 })}`
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
  // Level 9 takes ten times as long and saves a tenth.
  const compressed = deflateSync(rgb)
  return PDFRawStream.of(document.context.obj({ ...entries, Filter: 'FlateDecode', Length: compressed.length }), compressed)
}
