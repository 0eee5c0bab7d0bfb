// A drawing to insert into documents: a filled frame with a word, 90 by 30 points, in Helvetica.
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import { extractForm, type FormBundle } from '#core/pdf/increment/form-bundle.ts'

/** The word can be found in the sealed file. */
export async function drawSealForm(word = 'SEALED'): Promise<FormBundle> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([90, 30])
  page.drawRectangle({
    x: 0,
    y: 0,
    width: 90,
    height: 30,
    color: rgb(1, 1, 0.85),
    borderColor: rgb(0.2, 0.2, 0.6),
    borderWidth: 1,
  })
  page.drawText(word, { x: 8, y: 9, size: 14, font: await document.embedFont(StandardFonts.HelveticaBold) })
  return extractForm(Buffer.from(await document.save({ useObjectStreams: false })))
}
