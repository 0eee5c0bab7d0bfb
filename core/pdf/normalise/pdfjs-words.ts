// What Firefox's PDF reader finds in a file: pdf.js, which the signing page uses too.
import type * as Pdfjs from 'pdfjs-dist'

/** A page of text takes 2 ms, twice as long as with PDFium, which reads all. */
const MAX_READ_PAGES = 250

/** The words of every page that can be shown, empty strings after so many pages; undefined for a file that pdf.js does not open. */
export async function readWithPdfjs(bytes: Buffer): Promise<readonly string[] | undefined> {
  const { getDocument } = await loadPdfjs()
  const task = getDocument({ data: new Uint8Array(bytes), useSystemFonts: false, verbosity: 0 })
  try {
    const document = await task.promise
    const words: string[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const text = await textOf(document, number)
      if (text !== undefined) words.push(text)
    }
    return words
  } catch {
    // Its errors have no common class.
    return undefined
  } finally {
    await task.destroy()
  }
}

async function textOf(document: Pdfjs.PDFDocumentProxy, number: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(number)
    if (number > MAX_READ_PAGES) return ''
    const { items } = await page.getTextContent()
    page.cleanup()
    return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
  } catch {
    return undefined
  }
}

/** Without its warning of a missing canvas: reading words draws nothing. */
async function loadPdfjs(): Promise<Pick<typeof Pdfjs, 'getDocument'>> {
  const { warn } = console
  console.warn = () => {}
  try {
    return await import('pdfjs-dist/legacy/build/pdf.mjs')
  } finally {
    console.warn = warn
  }
}
