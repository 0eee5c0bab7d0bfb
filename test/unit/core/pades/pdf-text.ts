// Reads our PDFs with other programs: the text with pdf.js, the content stream with our own reader.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { newBudget, PDF_LIMITS } from '#core/pdf/budget.ts'
import { bufferSource } from '#core/pdf/read/byte-source.ts'
import { openPdf } from '#core/pdf/read/pdf-file.ts'

export interface TextItem {
  text: string
  x: number
  y: number
  width: number
  size: number
}

/** The text items of a page, counted from 1, as pdf.js returns them. */
export async function readTextItems(pdf: Buffer, number = 1): Promise<TextItem[]> {
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 })
  try {
    const page = await (await task.promise).getPage(number)
    const { items } = await page.getTextContent()
    return items
      .filter((item) => 'str' in item)
      .filter(({ str }) => str.trim() !== '')
      .map(({ str, transform, width }) => ({ text: str, x: transform[4], y: transform[5], width, size: transform[3] }))
  } finally {
    await task.destroy()
  }
}

/** The decoded content stream of a page, counted from 1. */
export function readContent(pdf: Buffer, number = 1): string {
  const file = openPdf(bufferSource(pdf), newBudget(PDF_LIMITS))
  const stream = file.resolve(file.page(number - 1).dict.entries.get('Contents'))
  if (stream.kind !== 'stream') throw new Error('the page has no single content stream')
  return file.decode(stream)?.toString('latin1') ?? ''
}

/** The texts of all ActualText entries of a content stream. */
export function readActualTexts(content: string): string[] {
  return [...content.matchAll(/ActualText<FEFF([0-9A-F]*)>/gi)].map(([, hex = '']) =>
    Buffer.from(hex, 'hex').swap16().toString('utf16le'),
  )
}
