// Writes objects after the end of a document and closes with a cross-reference section of the document's own kind (ISO 32000-2, 7.5.6):
// mixed kinds in one chain break viewers. Positions are offsets in the sealed file.
import { deflateSync } from 'node:zlib'
import type { SealPlan } from '../plan/seal-plan.ts'
import { unpack } from '../plan/pack.ts'
import { bytesOf } from '../read/syntax.ts'

export interface IncrementWriter {
  readonly plan: SealPlan
  readonly parts: Buffer[]
  /** Offset of the next byte. */
  position: number
  /** The next free object number. */
  next: number
  readonly objects: Map<number, WrittenObject>
}

interface WrittenObject {
  readonly gen: number
  readonly position: number
}

interface XrefRow extends WrittenObject {
  readonly num: number
}

/** 2^32: offsets take four bytes in a cross-reference stream and ten digits elsewhere. */
const MAX_FILE_BYTES = 0xffffffff
const ENTRY_WIDTHS = [1, 4, 2] as const
const ROW_BYTES = 7

/** Creates a writer whose first object number is the first free one of the document. */
export function newIncrementWriter(plan: SealPlan): IncrementWriter {
  const writer: IncrementWriter = { plan, parts: [], position: plan.length, next: plan.size, objects: new Map() }
  if (!plan.endsWithNewline) put(writer, '\n')
  return writer
}

export function put(writer: IncrementWriter, ...parts: readonly (string | Buffer)[]): void {
  const bytes = bytesOf(...parts)
  writer.parts.push(bytes)
  writer.position += bytes.length
}

/** Allocates `count` consecutive object numbers; returns the first. */
export function allocate(writer: IncrementWriter, count: number): number {
  const first = writer.next
  writer.next += count
  return first
}

/** Starts an object; what is put next is its body, up to endObject. Returns its position. Throws Error when the object was already written. */
export function beginObject(writer: IncrementWriter, num: number, gen: number): number {
  if (writer.objects.has(num)) throw new Error('an increment may write an object only once')
  putOffsetPadding(writer)
  const { position } = writer
  writer.objects.set(num, { gen, position })
  put(writer, `${num} ${gen} obj\n`)
  return position
}

/** Where offsets resolve from the header and from byte 0 alike in the document, white space makes them do so in the increment. */
function putOffsetPadding(writer: IncrementWriter): void {
  const { base, countsFromBoth } = writer.plan
  if (countsFromBoth) put(writer, '\n'.repeat(base))
}

export function endObject(writer: IncrementWriter): void {
  put(writer, '\nendobj\n')
}

export function putObject(writer: IncrementWriter, num: number, gen: number, ...body: readonly (string | Buffer)[]): void {
  beginObject(writer, num, gen)
  put(writer, ...body)
  endObject(writer)
}

/** Writes a new stream; `entries` are its dictionary entries except Length. */
export function putStream(writer: IncrementWriter, num: number, entries: string | Buffer, data: string | Buffer): void {
  putObject(writer, num, 0, '<<', entries, `/Length ${data.length}>>\nstream\n`, data, '\nendstream')
}

/** Closes the increment. `newId` is the second half of the file identifier (ISO 32000-2, 14.4). */
export function finishIncrement(writer: IncrementWriter, newId: Buffer): Buffer {
  const { plan } = writer
  const id = `<${newId.toString('hex')}>`
  const trailer = bytesOf(
    `/Root ${unpack(plan.root).toString('latin1')}`,
    plan.info === null ? '' : bytesOf('/Info ', unpack(plan.info)),
    bytesOf('/ID[', plan.fileId === null ? id : unpack(plan.fileId), `${id}]`),
    `/Prev ${plan.startxref}`,
  )
  const start = plan.xrefKind === 'table' ? putTable(writer, trailer) : putXrefStream(writer, trailer)
  put(writer, `startxref\n${start - plan.base}\n%%EOF\n`)
  if (writer.position > MAX_FILE_BYTES) throw new Error('the sealed file is too large')
  return Buffer.concat(writer.parts)
}

/** Returns its position, like putXrefStream. */
function putTable(writer: IncrementWriter, trailer: Buffer): number {
  putOffsetPadding(writer)
  const start = writer.position
  put(writer, 'xref\n')
  for (const run of runsOf(rowsOf(writer))) {
    const lines = run.map(({ position, gen }) => `${digits(position - writer.plan.base, 10)} ${digits(gen, 5)} n \n`)
    put(writer, `${run[0]?.num} ${run.length}\n${lines.join('')}`)
  }
  put(writer, `trailer\n<</Size ${writer.next}`, trailer, '>>\n')
  return start
}

function putXrefStream(writer: IncrementWriter, trailer: Buffer): number {
  const num = allocate(writer, 1)
  const start = beginObject(writer, num, 0)
  const rows = rowsOf(writer)
  const table = Buffer.alloc(rows.length * ROW_BYTES)
  for (const [index, { position, gen }] of rows.entries()) {
    table.writeUInt8(1, index * ROW_BYTES)
    table.writeUInt32BE(position - writer.plan.base, index * ROW_BYTES + 1)
    table.writeUInt16BE(gen, index * ROW_BYTES + 5)
  }
  const index = runsOf(rows).map((run) => `${run[0]?.num} ${run.length}`)
  const data = deflateSync(table)
  const shape = `/W[${ENTRY_WIDTHS.join(' ')}]/Index[${index.join(' ')}]/Filter/FlateDecode/Length ${data.length}`
  put(writer, `<</Type/XRef/Size ${writer.next}${shape}`, trailer, '>>\nstream\n', data, '\nendstream')
  endObject(writer)
  return start
}

function rowsOf(writer: IncrementWriter): XrefRow[] {
  return [...writer.objects].map(([num, { gen, position }]) => ({ num, gen, position })).sort((one, other) => one.num - other.num)
}

/** Groups rows with consecutive object numbers. */
function runsOf(rows: readonly XrefRow[]): XrefRow[][] {
  const runs: XrefRow[][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1)?.num === row.num - 1) run.push(row)
    else runs.push([row])
  }
  return runs
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0')
}
