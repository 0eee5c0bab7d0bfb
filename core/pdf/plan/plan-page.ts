// A page for the increment: its dictionary split into parts, so that seals and the widget can be inserted while every other value stays byte for byte.
import { type ContentEnd, scanContent } from './content-scan.ts'
import { type PageBoxes, readPageBoxes } from '../read/page-boxes.ts'
import type { PdfPage } from '../read/page-tree.ts'
import { malformed } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { type Base64, pack, type Packer } from './pack.ts'
import { rawEntries, rawItems } from '../read/syntax.ts'
import { isNull, type PdfDict, type PdfStream, type PdfValue } from '../read/value.ts'

export interface PlannedPage extends PageBoxes {
  /** Counted from 0. */
  readonly index: number
  readonly num: number
  readonly gen: number
  /** The page's entries except Contents, Resources and Annots; then Contents and Resources as written. */
  readonly unchanged: Base64
  readonly replaceable: Base64
  /** The annotations, and the object that holds their array when it is an indirect object. */
  readonly annots: Base64
  readonly annotsObject: { readonly num: number; readonly gen: number } | null
  /** Null for a last page that gets no seal: it only gets the widget. */
  readonly drawing: PageDrawing | null
}

/** What is needed to draw on a page. */
export interface PageDrawing {
  /** The content streams as array items. */
  readonly contents: Base64
  /** The entries of the page's own or inherited resources except XObject, and those of XObject. */
  readonly resources: Base64
  readonly xobjects: Base64
  /** No XObject name of the page starts with this. */
  readonly namePrefix: string
  /** Operators before and after the content that restore default user space for the seal. */
  readonly prologue: string
  readonly epilogue: string
  /** Whether prologue and epilogue leave the appearance of the page unchanged. */
  readonly safe: boolean
}

const REPLACEABLE = ['Contents', 'Resources']
const NAME_PREFIX = 'SealwrightSeal'
/** A page with more open states does not display as intended in any viewer. */
const MAX_OPEN = 500

/** Reads a page of a seal plan; `drawing` only on demand, because it decodes the content. */
export function readPlannedPage(file: PdfFile, page: PdfPage, packer: Packer, draws: boolean): PlannedPage {
  const { index, num, gen, dict } = page
  const annots = dict.entries.get('Annots')
  const list = file.resolve(annots)
  if (list.kind !== 'array' && !isNull(list)) throw malformed('the annotations of a page are damaged')
  const others = [...dict.entries.keys()].filter((key) => !REPLACEABLE.includes(key))
  return {
    index,
    num,
    gen,
    ...readPageBoxes(file, page),
    unchanged: pack(packer, rawEntries(dict, [...REPLACEABLE, 'Annots'])),
    replaceable: pack(packer, rawEntries(dict, others)),
    annots: pack(packer, rawItems(list)),
    annotsObject: annots?.kind === 'ref' && list.kind === 'array' ? { num: annots.num, gen: annots.gen } : null,
    drawing: draws ? readDrawing(file, page, packer) : null,
  }
}

function readDrawing(file: PdfFile, page: PdfPage, packer: Packer): PageDrawing {
  const resources = dictOf(file, page.attributes.get('Resources'))
  const xobjects = dictOf(file, resources?.entries.get('XObject'))
  const contents = contentsOf(file, page)
  const end = scanContent(joined(contents.streams.map((stream) => decodeContent(file, stream))))
  return {
    contents: pack(packer, contents.items),
    resources: pack(packer, resources === undefined ? Buffer.alloc(0) : rawEntries(resources, ['XObject'])),
    xobjects: pack(packer, xobjects === undefined ? Buffer.alloc(0) : rawEntries(xobjects, [])),
    namePrefix: freePrefix([...(xobjects?.entries.keys() ?? [])]),
    ...wrapContent(end),
  }
}

function dictOf(file: PdfFile, value: PdfValue | undefined): PdfDict | undefined {
  const dict = file.resolve(value)
  if (isNull(dict)) return undefined
  if (dict.kind !== 'dict') throw malformed('the resources of a page are damaged')
  return dict
}

function contentsOf(file: PdfFile, page: PdfPage): { items: Buffer; streams: PdfStream[] } {
  const value = page.dict.entries.get('Contents')
  const contents = file.resolve(value)
  if (value === undefined || isNull(contents)) return { items: Buffer.alloc(0), streams: [] }
  if (contents.kind === 'stream') return { items: rawItems(value), streams: [contents] }
  if (contents.kind !== 'array') throw malformed('the content of a page is damaged')
  const streams = contents.items.map((item) => file.resolve(item)).filter((item) => !isNull(item))
  return { items: rawItems(contents), streams: streams.filter(isStream) }
}

function isStream(value: PdfValue): value is PdfStream {
  if (value.kind !== 'stream') throw malformed('the content of a page is damaged')
  return true
}

function decodeContent(file: PdfFile, stream: PdfStream): Buffer {
  const content = file.decode(stream)
  if (content === undefined) throw malformed('the content of a page is damaged')
  return content
}

function joined(streams: readonly Buffer[]): Buffer {
  const newline = Buffer.from('\n')
  return streams.length === 1 && streams[0] !== undefined
    ? streams[0]
    : Buffer.concat(streams.flatMap((stream) => [stream, newline]))
}

function freePrefix(names: readonly string[]): string {
  for (let number = 0; ; number++) {
    const prefix = number === 0 ? NAME_PREFIX : `${NAME_PREFIX}${number}x`
    if (!names.some((name) => name.startsWith(prefix))) return prefix
  }
}

function wrapContent(end: ContentEnd): Pick<PageDrawing, 'prologue' | 'epilogue' | 'safe'> {
  const open = end.surplusRestores + end.openSaves + end.openMarks
  if (end.truncated || end.restoreMatters || open > MAX_OPEN) return { prologue: '', epilogue: '', safe: false }
  const path = end.inPath ? 'n ' : ''
  const text = end.inText ? 'ET ' : ''
  const marks = 'EMC '.repeat(end.openMarks)
  // Each surplus Q gets a matching q; one more q saves the default state for the seal.
  const prologue = `${'q '.repeat(end.surplusRestores + 1)}\n`
  return { prologue, epilogue: `\n${path}${text}${marks}${'Q '.repeat(end.openSaves + 1)}\n`, safe: true }
}
