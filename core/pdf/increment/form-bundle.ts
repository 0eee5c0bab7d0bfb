// A drawing as a Form XObject with every object that it refers to, extracted from a PDF of ours and inserted into another document
// (ISO 32000-2, 8.10). Object numbers are relative to the first free one of that document.
import { deflateSync } from 'node:zlib'
import { newBudget, PDF_LIMITS } from '../budget.ts'
import { bufferSource } from '../read/byte-source.ts'
import { readPageBoxes } from '../read/page-boxes.ts'
import type { PdfPage } from '../read/page-tree.ts'
import { openPdf, type PdfFile } from '../read/pdf-file.ts'
import { bytesOf, formatName, formatNumber } from '../read/syntax.ts'
import { isNull, type PdfRef, type PdfStream, type PdfValue } from '../read/value.ts'

/** Bytes and references: a number is the index of an object in the bundle. */
export type Template = readonly (Buffer | number)[]

export interface BundleObject {
  readonly body: Template
  /** The data, encoded as the dictionary says, /Length included; null for an object that is not a stream. */
  readonly data: Buffer | null
}

export interface FormBundle {
  /** Size of the drawing in points; the lower left corner is the origin. */
  readonly width: number
  readonly height: number
  /** Number of Form XObjects, which come first: the same drawing laid out for different sizes. */
  readonly layouts: number
  readonly objects: readonly BundleObject[]
}

interface Collection {
  readonly file: PdfFile
  /** Index in the bundle by object number. */
  readonly indexes: Map<number, number>
  readonly waiting: PdfRef[]
  readonly layouts: number
}

/** Extracts every page as a layout of one form. Throws PdfError when the PDF can't be read; meant for our own drawings only, with pages of one size. */
export function extractForm(pdf: Buffer): FormBundle {
  const file = openPdf(bufferSource(pdf), newBudget(PDF_LIMITS))
  const pages = [...file.pages()]
  const collection: Collection = { file, indexes: new Map(), waiting: [], layouts: pages.length }
  const forms = pages.map((page) => formOf(collection, page))
  const { mediaBox } = readPageBoxes(file, file.page(0))
  const [left, bottom, right, top] = mediaBox
  return { width: right - left, height: top - bottom, layouts: pages.length, objects: [...forms, ...collect(collection)] }
}

function formOf(collection: Collection, page: PdfPage): BundleObject {
  const { file } = collection
  const { mediaBox } = readPageBoxes(file, page)
  const [left, bottom] = mediaBox
  const data = deflateSync(contentOf(file, page), { level: 9 })
  const matrix = `[1 0 0 1 ${formatNumber(-left)} ${formatNumber(-bottom)}]`
  const head = `<</Type/XObject/Subtype/Form/BBox[${mediaBox.map(formatNumber).join(' ')}]/Matrix${matrix}/Resources `
  const group = file.resolve(page.dict.entries.get('Group'))
  return {
    body: [
      bytesOf(head),
      ...templateOf(collection, file.resolve(page.attributes.get('Resources'))),
      ...(isNull(group) ? [] : [bytesOf('/Group '), ...templateOf(collection, group)]),
      bytesOf(`/Filter/FlateDecode/Length ${data.length}>>`),
    ],
    data,
  }
}

/** Collects the objects that are reachable from those collected so far. */
function collect(collection: Collection): BundleObject[] {
  const objects: BundleObject[] = []
  for (let ref = collection.waiting.shift(); ref !== undefined; ref = collection.waiting.shift()) {
    const value = collection.file.resolve(ref)
    if (value.kind === 'stream') objects.push(streamObject(collection, value))
    else objects.push({ body: templateOf(collection, value), data: null })
  }
  return objects
}

function streamObject(collection: Collection, stream: PdfStream): BundleObject {
  const data = collection.file.streamData(stream)
  const body: (Buffer | number)[] = [bytesOf('<<')]
  for (const [key, value] of stream.dict.entries) {
    if (key !== 'Length') body.push(bytesOf(formatName(key), ' '), ...templateOf(collection, value), bytesOf('\n'))
  }
  return { body: [...body, bytesOf(`/Length ${data.length}>>`)], data }
}

/** Splits the bytes of a value at its references. */
function templateOf(collection: Collection, value: PdfValue): Template {
  const template: (Buffer | number)[] = []
  let from = value.start
  for (const ref of refsIn(value)) {
    template.push(value.bytes.subarray(from, ref.start), indexOf(collection, ref))
    from = ref.end
  }
  return [...template, value.bytes.subarray(from, value.end)]
}

/** References in file order. */
function refsIn(value: PdfValue): PdfRef[] {
  if (value.kind === 'ref') return [value]
  if (value.kind === 'array') return value.items.flatMap(refsIn)
  return value.kind === 'dict' ? [...value.entries.values()].flatMap(refsIn) : []
}

function indexOf(collection: Collection, ref: PdfRef): number {
  const known = collection.indexes.get(ref.num)
  if (known !== undefined) return known
  const index = collection.layouts + collection.indexes.size
  collection.indexes.set(ref.num, index)
  collection.waiting.push(ref)
  return index
}

function contentOf(file: PdfFile, page: PdfPage): Buffer {
  const contents = file.resolve(page.dict.entries.get('Contents'))
  const streams = contents.kind === 'array' ? contents.items.map((item) => file.resolve(item)) : [contents]
  return bytesOf(...streams.flatMap((stream) => (stream.kind === 'stream' ? [file.decode(stream) ?? '', '\n'] : [])))
}
