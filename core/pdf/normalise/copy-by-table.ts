// Writes a document again as its cross-reference table lists it: what the trailer reaches, each object once, nothing else. A reference without its object
// becomes null, which is what it means (ISO 32000-2, 7.3.10). Values and stream data keep their bytes, except damaged content.
import { deflateSync } from 'node:zlib'
import { newBudget, PDF_LIMITS } from '../budget.ts'
import { newContentReader } from '../inspect/content-reader.ts'
import { missingMode } from '../inspect/faces/cmap-direction.ts'
import { contradictory } from '../pdf-error.ts'
import { bufferSource } from '../read/byte-source.ts'
import { openPdf, type PdfFile } from '../read/pdf-file.ts'
import { bytesOf, formatName } from '../read/syntax.ts'
import { isName, isNull, type PdfDict, type PdfRef, type PdfStream, type PdfValue, rawOf } from '../read/value.ts'
import { type NewContents, rewriteContents } from './rewrite-contents.ts'

interface Copy {
  readonly file: PdfFile
  readonly contents: NewContents
  /** New numbers by old ones. */
  readonly numbers: Map<number, number>
  /** What the new numbers from 1 on are: an old object, or the new content of a page. */
  readonly objects: (number | Buffer)[]
}

/** Entries of pages whose null items viewers do not skip alike. */
const LISTS = ['Contents', 'Annots']
const DATA_KEYS = ['Length', 'Filter', 'DecodeParms']

/** The document written again. Throws what strict reading throws, and DOCUMENT_INVALID when the content of a page is missing or cannot be restored. */
export function copyByTable(bytes: Buffer): Buffer {
  const file = openPdf(bufferSource(bytes), newBudget(PDF_LIMITS))
  for (const page of file.pages()) checkContent(file, page.dict, page.index)
  const copy: Copy = { file, contents: rewriteContents(file), numbers: new Map(), objects: [] }
  const trailer = ['Root', 'Info', 'ID'].flatMap((key) => entryOf(copy, key, file.trailer.entries.get(key)))
  const parts = [bytesOf(`%PDF-${file.headerVersion || '1.7'}\n%\xe2\xe3\xcf\xd3\n`)]
  let length = parts[0]?.length ?? 0
  const rows: string[] = []
  for (let index = 0; index < copy.objects.length; index++) {
    const object = bytesOf(`${index + 1} 0 obj\n`, objectAt(copy, index), '\nendobj\n')
    rows.push(`${String(length).padStart(10, '0')} 00000 n \n`)
    parts.push(object)
    length += object.length
  }
  const size = rows.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`
  return bytesOf(...parts, table, `trailer\n<</Size ${size}`, ...trailer, `>>\nstartxref\n${length}\n%%EOF\n`)
}

/** Viewers that take the object of another generation would show content that the copy does not have. */
function checkContent(file: PdfFile, page: PdfDict, index: number): void {
  const contents = page.entries.get('Contents')
  if (contents?.kind === 'ref' && !isInUse(file, contents)) throw contradictory(`the content of page ${index + 1} is missing`)
}

function objectAt(copy: Copy, index: number): Buffer {
  const object = copy.objects[index] ?? 0
  if (typeof object !== 'number') return deflated([], object)
  const value = copy.file.get(object)
  if (value.kind === 'stream') return streamOf(copy, value, copy.contents.streams.get(object))
  return value.kind === 'dict' ? dictOf(copy, value, copy.contents.pages.get(object)) : bytesOf(...written(copy, value))
}

function streamOf(copy: Copy, stream: PdfStream, content: Buffer | undefined): Buffer {
  const mode = isCodeMap(stream) ? missingMode(copy.file, newContentReader(), stream) : undefined
  const without = mode === undefined ? [] : ['WMode']
  const entries = entriesOf(copy, stream.dict, [...without, ...(content === undefined ? ['Length'] : DATA_KEYS)])
  if (content !== undefined) return deflated(entries, content)
  if (mode !== undefined) entries.push(`/WMode ${mode}`)
  const data = copy.file.streamData(stream)
  return bytesOf('<<', ...entries, `/Length ${data.length}>>stream\n`, data, '\nendstream')
}

function isCodeMap({ dict: { entries } }: PdfStream): boolean {
  return isName(entries.get('Type'), 'CMap') || entries.has('WMode')
}

function deflated(entries: (string | Buffer)[], content: Buffer): Buffer {
  const data = deflateSync(content)
  return bytesOf('<<', ...entries, `/Filter/FlateDecode/Length ${data.length}>>stream\n`, data, '\nendstream')
}

/** A dictionary that is an object; pages have their lists inline. */
function dictOf(copy: Copy, dict: PdfDict, content: Buffer | undefined): Buffer {
  const type = copy.file.resolve(dict.entries.get('Type'))
  const isPage = type.kind === 'name' ? type.name === 'Page' : dict.entries.has('Contents')
  if (!isPage) return bytesOf('<<', ...entriesOf(copy, dict, []), '>>')
  const lists = LISTS.flatMap((key) => {
    if (key === 'Contents' && content !== undefined) return [`/Contents ${copy.objects.push(content)} 0 R`]
    return listOf(copy, key, dict.entries.get(key))
  })
  return bytesOf('<<', ...entriesOf(copy, dict, LISTS), ...lists, '>>')
}

function listOf(copy: Copy, key: string, value: PdfValue | undefined): (string | Buffer)[] {
  const list = value?.kind === 'ref' && !isInUse(copy.file, value) ? undefined : copy.file.resolve(value)
  if (list?.kind !== 'array') return entryOf(copy, key, value)
  const items = list.items.map((item) => written(copy, item)).filter(([first]) => first !== NULL_WORD)
  return [formatName(key), '[', ...items.flatMap((item) => [...item, ' ']), ']']
}

const NULL_WORD = 'null'

function entriesOf(copy: Copy, dict: PdfDict, without: readonly string[]): (string | Buffer)[] {
  return [...dict.entries].flatMap(([key, value]) => (without.includes(key) ? [] : entryOf(copy, key, value)))
}

/** An entry with the value null is no entry (ISO 32000-2, 7.3.7). */
function entryOf(copy: Copy, key: string, value: PdfValue | undefined): (string | Buffer)[] {
  const text = value === undefined ? [NULL_WORD] : written(copy, value)
  return text[0] === NULL_WORD ? [] : [formatName(key), ' ', ...text]
}

function written(copy: Copy, value: PdfValue): (string | Buffer)[] {
  if (value.kind === 'ref') return [isInUse(copy.file, value) ? `${numberOf(copy, value)} 0 R` : NULL_WORD]
  if (value.kind === 'array') return ['[', ...value.items.flatMap((item) => [...written(copy, item), ' ']), ']']
  if (value.kind === 'dict') return ['<<', ...entriesOf(copy, value, []), '>>']
  return [isNull(value) ? NULL_WORD : rawOf(value)]
}

function numberOf({ numbers, objects }: Copy, { num }: PdfRef): number {
  const known = numbers.get(num)
  if (known !== undefined) return known
  const number = objects.push(num)
  numbers.set(num, number)
  return number
}

function isInUse({ xref }: PdfFile, { num, gen }: PdfRef): boolean {
  const entry = xref.find(num)
  return entry !== undefined && gen === (entry.type === 'plain' ? entry.gen : 0)
}
