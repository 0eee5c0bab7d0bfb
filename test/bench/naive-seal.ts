// The baseline: sealing as in tutorials. pdf-lib opens the document, draws the seals and saves everything again; @signpdf and node-forge
// sign it. Without their placeholder package, whose peer dependency conflicts with our fork of pdf-lib.
import { P12Signer } from '@signpdf/signer-p12'
import { SignPdf } from '@signpdf/signpdf'
import {
  PDFArray,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFString,
  rgb,
  StandardFonts,
} from 'pdf-lib-original'
import { toBuffer } from 'qrcode'

export interface NaiveSigner {
  name: string
  email: string
  url: string
  imagePng: Buffer
  x: number
  y: number
}

const SIGNATURE_BYTES = 8192

export async function sealNaively(
  original: Buffer,
  signers: readonly NaiveSigner[],
  p12: Buffer,
  password: string,
): Promise<Buffer> {
  const document = await PDFDocument.load(original)
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.getPages().at(-1)!
  for (const { name, email, url, imagePng, x, y } of signers) {
    page.drawRectangle({ x, y, width: 216, height: 72, color: rgb(1, 1, 1), borderColor: rgb(0.2, 0.2, 0.6), borderWidth: 0.7 })
    page.drawImage(await document.embedPng(imagePng), { x: x + 8, y: y + 42, width: 110, height: 26 })
    page.drawText(name, { x: x + 8, y: y + 30, size: 9, font })
    page.drawText(`${email}\n2026-11-21T07:00:00Z`, { x: x + 8, y: y + 20, size: 6, lineHeight: 7, font })
    page.drawImage(await document.embedPng(await toBuffer(url, { margin: 1, scale: 3 })), {
      x: x + 154,
      y: y + 8,
      width: 56,
      height: 56,
    })
  }
  addPlaceholder(document, page)
  const saved = Buffer.from(await document.save({ useObjectStreams: false }))
  // A P12Signer signs once; a second call throws.
  return new SignPdf().sign(saved, new P12Signer(p12, { passphrase: password }))
}

function addPlaceholder(document: PDFDocument, page: PDFPage): void {
  const { context } = document
  const byteRange = PDFArray.withContext(context)
  byteRange.push(PDFNumber.of(0))
  for (let index = 0; index < 3; index++) byteRange.push(PDFName.of('**********'))
  const signature = context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite', SubFilter: 'adbe.pkcs7.detached', ByteRange: byteRange })
  signature.set(PDFName.of('Contents'), PDFHexString.of('0'.repeat(SIGNATURE_BYTES * 2)))
  signature.set(PDFName.of('M'), PDFString.fromDate(new Date()))
  const widget = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      Rect: [0, 0, 0, 0],
      V: context.register(signature),
      T: PDFString.of('Signature1'),
      F: 4,
      P: page.ref,
    }),
  )
  page.node.set(PDFName.of('Annots'), context.obj([widget]))
  document.catalog.set(PDFName.of('AcroForm'), context.obj({ SigFlags: 3, Fields: [widget] }))
}
