// A PDF's text as pdf.js extracts it.
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The text of all pages, one piece per line. */
export async function pdfText(pdf: Buffer): Promise<string> {
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 })
  try {
    const document = await task.promise
    const pages = Array.from({ length: document.numPages }, async (_, index) => {
      const { items } = await (await document.getPage(index + 1)).getTextContent()
      return items.map((item) => ('str' in item ? item.str : ''))
    })
    return (await Promise.all(pages)).flat().join('\n')
  } finally {
    await task.destroy()
  }
}
