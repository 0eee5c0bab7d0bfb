// What four readers that share no code show of a file: poppler, MuPDF, pdf.js (Firefox) and PDFium (Chrome). None of them goes through our code.
import { readFile } from 'node:fs/promises'
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import { getDocument, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { runProgram } from '../clients/run-program.ts'
import { type Picture, renderPages } from './pixels.ts'

export const READERS = ['poppler', 'mupdf', 'pdfjs', 'pdfium'] as const
export type Reader = (typeof READERS)[number]

const TEXT: Readonly<Record<Reader, (file: string) => Promise<string[]>>> = {
  poppler: (file) => textOfProgram('pdftotext', ['-q', file, '-']),
  mupdf: (file) => textOfProgram('mutool', ['draw', '-q', '-F', 'txt', '-o', '-', file]),
  pdfjs: (file) => eachPageOfPdfjs(file, textWithPdfjs),
  pdfium: (file) => withPdfium(file, async (document) => [...document.pages()].map(textOrNothing)),
}

const DRAWING: Readonly<Record<Reader, (file: string) => Promise<Picture[]>>> = {
  poppler: (file) => renderPages(file, 'poppler'),
  mupdf: (file) => renderPages(file, 'mupdf'),
  pdfjs: (file) => eachPageOfPdfjs(file, drawWithPdfjs),
  pdfium: (file) => withPdfium(file, drawWithPdfium),
}

/** The text of every page that the reader shows; poppler and MuPDF read annotations too. */
export function readText(file: string, reader: Reader): Promise<string[]> {
  return TEXT[reader](file)
}

/** The pages as the reader draws them, with annotations, at one pixel a point. */
export function drawPages(file: string, reader: Reader): Promise<Picture[]> {
  return DRAWING[reader](file)
}

/** Whether pdf.js finds annotations other than links. */
export async function hasAnnotations(file: string): Promise<boolean> {
  const found = await eachPageOfPdfjs(file, (page) => page.getAnnotations())
  return found.flat().some(({ subtype }) => subtype !== 'Link')
}

/** Whatever it could read before an error. */
async function textOfProgram(program: string, args: readonly string[]): Promise<string[]> {
  const { stdout } = await runProgram(program, args)
  return stdout.toString('utf8').split('\f').slice(0, -1)
}

type ReadPage<Result> = (page: PDFPageProxy, document: PDFDocumentProxy) => Promise<Result>

async function eachPageOfPdfjs<Result>(file: string, read: ReadPage<Result>): Promise<Result[]> {
  const task = getDocument({ data: new Uint8Array(await readFile(file)), useSystemFonts: false, verbosity: 0 })
  try {
    const document = await task.promise
    const results: Result[] = []
    for (let number = 1; number <= document.numPages; number++) results.push(await read(await document.getPage(number), document))
    return results
  } finally {
    await task.destroy()
  }
}

async function textWithPdfjs(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent()
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
}

/** Its types do not say what a canvas factory is. */
interface CanvasFactory {
  create(width: number, height: number): { canvas: Canvas; context: Context }
}

type Canvas = Parameters<PDFPageProxy['render']>[0]['canvas']
type Context = NonNullable<Parameters<PDFPageProxy['render']>[0]['canvasContext']>

async function drawWithPdfjs(page: PDFPageProxy, document: PDFDocumentProxy): Promise<Picture> {
  const viewport = page.getViewport({ scale: 1 })
  const [width, height] = [Math.floor(viewport.width), Math.floor(viewport.height)]
  const { canvas, context } = (document.canvasFactory as CanvasFactory).create(width, height)
  await page.render({ canvas, canvasContext: context, viewport }).promise
  return { width, height, pixels: withoutAlpha(context.getImageData(0, 0, width, height).data) }
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
