// Generates documents of a given size, shaped like exported contracts: text, one picture and some links per page, the markers of two
// signers on the last page. Pictures are noise, which does not deflate, so the size is exact.
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { type PDFContext, PDFDocument, PDFName, PDFRawStream, type PDFRef, PDFString, StandardFonts } from 'pdf-lib'

export interface SampleShape {
  pages: number
  bytes: number
  linksPerPage: number
}

const LINES = 40
const TEXT = 'The parties agree that this sentence is as long as a sentence of a contract is, and go on.'
const PAGE_BYTES = 1500
const LINK_BYTES = 150

export async function buildSamplePdf({ pages, bytes, linksPerPage }: SampleShape): Promise<Buffer> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const font = await document.embedFont(StandardFonts.Helvetica)
  const pictureBytes = Math.max(300, Math.round(bytes / pages - PAGE_BYTES - linksPerPage * LINK_BYTES))
  for (let index = 0; index < pages; index++) {
    const page = document.addPage([595, 842])
    const lines = Array.from({ length: LINES }, (_, line) => `${index}.${line} ${TEXT}`)
    page.drawText(lines.join('\n'), { x: 50, y: 790, size: 9, lineHeight: 12, font })
    page.node.newXObject('Picture', addPicture(context, pictureBytes))
    const links = Array.from({ length: linksPerPage }, (_, link) => addLink(context, index, link))
    page.node.set(PDFName.of('Annots'), context.obj(links))
  }
  const last = document.getPages().at(-1)!
  last.drawText('{{signer1}}', { x: 60, y: 150, size: 10, font })
  last.drawText('{{signer2}}', { x: 320, y: 150, size: 10, font })
  return Buffer.from(await document.save({ useObjectStreams: false }))
}

function addPicture(context: PDFContext, bytes: number): PDFRef {
  const height = Math.ceil(bytes / 300)
  const data = deflateSync(randomBytes(height * 300), { level: 1 })
  const shape = { Width: 100, Height: height, ColorSpace: 'DeviceRGB', BitsPerComponent: 8 }
  const entries = { Type: 'XObject', Subtype: 'Image', ...shape, Filter: 'FlateDecode', Length: data.length }
  return context.register(PDFRawStream.of(context.obj(entries), data))
}

function addLink(context: PDFContext, page: number, link: number): PDFRef {
  const action = { S: 'URI', URI: PDFString.of(`https://example.com/${page}/${link}`) }
  return context.register(
    context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [50, link * 8, 60, link * 8 + 8], Border: [0, 0, 0], A: action }),
  )
}
