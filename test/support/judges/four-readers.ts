// What four readers that share no code show of a file: poppler, MuPDF, pdf.js (Firefox) and PDFium (Chrome). None of them goes through our code.
import { readFile } from 'node:fs/promises'
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import { getDocument, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { runProgram } from '../clients/run-program.ts'
import { type Picture, renderPages } from './pixels.ts'

export const READERS = ['poppler', 'mupdf', 'pdfjs', 'pdfium'] as const
export type Reader = (typeof READERS)[number]

/** The text of every page that the reader shows; poppler and MuPDF read annotations too. */
export async function readText(file: string, reader: Reader): Promise<string[]> {
  switch (reader) {
    case 'poppler':
      return textOfProgram('pdftotext', ['-q', file, '-'])
    case 'mupdf':
      return textOfProgram('mutool', ['draw', '-q', '-F', 'txt', '-o', '-', file])
    case 'pdfjs':
      return eachPageOfPdfjs(file, async (page) => {
        const { items } = await page.getTextContent()
        return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
      })
    case 'pdfium':
      return withPdfium(file, async (document) => [...document.pages()].map(textOrNothing))
  }
}

/** Whether pdf.js finds annotations other than links. */
export async function hasAnnotations(file: string): Promise<boolean> {
  const found = await eachPageOfPdfjs(file, async (page) => page.getAnnotations())
  return found.flat().some(({ subtype }) => subtype !== 'Link')
}

/** The pages as the reader draws them, with annotations, at one pixel a point. */
export async function drawPages(file: string, reader: Reader): Promise<Picture[]> {
  switch (reader) {
    case 'poppler':
    case 'mupdf':
      return renderPages(file, reader)
    case 'pdfjs':
      return eachPageOfPdfjs(file, drawWithPdfjs)
    case 'pdfium':
      return withPdfium(file, drawWithPdfium)
  }
}

/** Whatever it could read before an error. */
async function textOfProgram(program: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await runProgram(program, args)
  return stdout.toString('utf8').split('\f').slice(0, -1)
}

async function eachPageOfPdfjs<Result>(file: string, read: (page: PDFPageProxy) => Promise<Result>): Promise<Result[]> {
  const task = getDocument({ data: new Uint8Array(await readFile(file)), useSystemFonts: false, verbosity: 0 })
  try {
    const document = await task.promise
    const results: Result[] = []
    for (let number = 1; number <= document.numPages; number++) results.push(await read(await document.getPage(number)))
    return results
  } finally {
    await task.destroy()
  }
}

async function drawWithPdfjs(page: PDFPageProxy): Promise<Picture> {
  const viewport = page.getViewport({ scale: 1 })
  const [width, height] = [Math.floor(viewport.width), Math.floor(viewport.height)]
  const { canvas, context } = canvasOf(page).create(width, height)
  await page.render({ canvas, canvasContext: context, viewport }).promise
  return { width, height, pixels: withoutAlpha(context.getImageData(0, 0, width, height).data) }
}

interface CanvasFactory {
  create(width: number, height: number): { canvas: Canvas; context: Context }
}

type Canvas = Parameters<PDFPageProxy['render']>[0]['canvas']
type Context = NonNullable<Parameters<PDFPageProxy['render']>[0]['canvasContext']>

/** Not in its types. */
function canvasOf(page: PDFPageProxy): CanvasFactory {
  return (page as unknown as { _transport: { canvasFactory: CanvasFactory } })._transport.canvasFactory
}

async function withPdfium<Result>(file: string, read: (document: PDFiumDocument) => Promise<Result>): Promise<Result> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(await readFile(file))
  try {
    return await read(document)
  } finally {
    document.destroy()
  }
}

let library: Promise<PDFiumLibrary> | undefined

/** It counts pages that it cannot load. */
function textOrNothing(page: PDFiumPage): string {
  try {
    return page.getText()
  } catch {
    return ''
  }
}

async function drawWithPdfium(document: PDFiumDocument): Promise<Picture[]> {
  document.initializeFormFields()
  const pictures: Picture[] = []
  for (const page of document.pages()) {
    const { width, height, data } = await page.render({ scale: 1, render: 'bitmap', renderFormFields: true })
    pictures.push({ width, height, pixels: withoutAlpha(data) })
  }
  return pictures
}

function withoutAlpha(samples: Uint8Array | Uint8ClampedArray): Buffer {
  return Buffer.from(samples.filter((_, index) => index % 4 !== 3))
}
