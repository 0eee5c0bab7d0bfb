// A PDF open for reading. Objects are found through the cross-reference sections and read on demand, so a large scan costs little more than its page tree.
import { type PdfBudget } from '../budget.ts'
import type { ByteSource } from './byte-source.ts'
import { decodeStream } from './decode-stream.ts'
import { readEnds } from './header.ts'
import { getObject, newObjects, type Objects, readCatalog, resolveValue } from './objects.ts'
import { openWithBase } from './offset-base.ts'
import { countPages, findPage, type PdfPage, walkPages } from './page-tree.ts'
import { PdfError, tooComplex } from '../pdf-error.ts'
import { isNull, type PdfDict, type PdfStream, type PdfValue } from './value.ts'
import { checkedSize, checkHybrid } from './xref-checks.ts'
import { readStreamData } from './stream-data.ts'
import { readXref, type Xref } from './xref.ts'
import type { XrefEntry } from './xref-entry.ts'

/** An object in use. */
export interface ListedObject {
  readonly num: number
  readonly entry: XrefEntry
}

export interface PdfFile {
  readonly source: ByteSource
  readonly budget: PdfBudget
  /** Position of `%PDF-`, and the byte that offsets are relative to: 0 or the header. */
  readonly headerOffset: number
  readonly base: number
  /** With bytes before the header: whether offsets resolve to the same objects from either base. */
  readonly countsFromBoth: boolean
  /** The version in the header, such as "1.7"; empty when malformed. The catalog may name a later version. */
  readonly headerVersion: string
  /** Offset as written in the file, relative to `base`. */
  readonly startxref: number
  /** The kind of the newest cross-reference section. */
  readonly xrefKind: 'table' | 'stream'
  /** /Size of the newest trailer: every object in use has a lower number. */
  readonly size: number
  readonly trailer: PdfDict
  readonly xref: Xref
  readonly hybrid: boolean
  /** Number of pages that the page tree declares; `pages()` refuses a document where that is wrong. */
  readonly pageCount: number
  /** The object with this number; null when it does not exist. */
  get(num: number): PdfValue
  /** The value itself, or the object that it refers to; null for undefined. */
  resolve(value: PdfValue | undefined): PdfValue
  catalog(): PdfDict
  /** All pages in order. Checks the whole tree. */
  pages(): Iterable<PdfPage>
  /** One page, counted from 0. Reads only the nodes on the way to it, from the nearer end. Throws RangeError for a missing page. */
  page(index: number): PdfPage
  /** The number of every object in use, in no particular order. Throws DOCUMENT_TOO_COMPLEX when there are too many. */
  objectNumbers(): Iterable<number>
  /** Lists the objects with their entries. */
  entries(): Iterable<ListedObject>
  /** The data of a stream as stored in the file. */
  streamData(stream: PdfStream): Buffer
  /** The data after all filters; undefined when an image filter prevents that. */
  decode(stream: PdfStream): Buffer | undefined
}

/**
 * Opens a document. Throws PdfError: DOCUMENT_ENCRYPTED, DOCUMENT_TOO_COMPLEX, or DOCUMENT_INVALID for a syntax error; nothing is repaired.
 * Every method of the file throws the same.
 */
export function openPdf(source: ByteSource, budget: PdfBudget): PdfFile {
  const { headerOffset, version, startxref } = readEnds(source)
  const { objects, countsFromBoth } = openWithBase(headerOffset, (start) => open(source, budget, start, startxref))
  const { base, xref } = objects
  const size = checkedSize(xref, budget.limits.size)
  checkHybrid(xref)
  const { kind: xrefKind, trailer } = xref.newest
  const resolve = (value: PdfValue | undefined): PdfValue => resolveValue(objects, value)
  const streamData = (stream: PdfStream): Buffer => readStreamData(source, stream, resolve)
  const nodes = { budget, resolve, catalog: () => readCatalog(objects) }
  return {
    ...nodes,
    source,
    headerOffset,
    base,
    countsFromBoth,
    headerVersion: version,
    startxref,
    xrefKind,
    size,
    trailer,
    xref,
    hybrid: xref.hybrid,
    pageCount: countPages(nodes),
    get: (num) => getObject(objects, num),
    pages: () => walkPages(nodes),
    page: (index) => findPage(nodes, index),
    objectNumbers: () => objectNumbers(xref, budget),
    entries: () => entriesInUse(xref, budget),
    streamData,
    decode: (stream) => decodeStream(stream.dict, streamData(stream), budget, resolve),
  }
}

function open(source: ByteSource, budget: PdfBudget, base: number, startxref: number): Objects {
  const xref = readXref(source, budget, base, startxref)
  for (const { main } of xref.revisions) {
    const encrypt = main.trailer.entries.get('Encrypt')
    if (encrypt !== undefined && !isNull(encrypt)) {
      throw new PdfError('DOCUMENT_ENCRYPTED', 'The document is encrypted. Save it without password protection and upload that.')
    }
  }
  const objects = newObjects(source, budget, base, xref)
  readCatalog(objects)
  return objects
}

function* objectNumbers(xref: Xref, budget: PdfBudget): Generator<number> {
  for (const { num } of entriesInUse(xref, budget)) yield num
}

function* entriesInUse(xref: Xref, budget: PdfBudget): Generator<ListedObject> {
  const seen = new Set<number>()
  let objects = 0
  for (const { main, hidden } of xref.revisions) {
    for (const { first, count } of [...main.subsections, ...(hidden?.subsections ?? [])]) {
      for (let num = first; num < first + count; num++) {
        if (seen.has(num)) continue
        seen.add(num)
        const entry = xref.find(num)
        if (entry === undefined) continue
        if (++objects > budget.limits.objects) throw tooComplex(`it has more than ${budget.limits.objects} objects`)
        yield { num, entry }
      }
    }
  }
}
