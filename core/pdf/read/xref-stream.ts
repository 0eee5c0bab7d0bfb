// A cross-reference stream (ISO 32000-2, 7.5.8): decoded once, its entries are read on lookup.
import { type PdfBudget } from '../budget.ts'
import type { ByteSource } from './byte-source.ts'
import { decodeStream, type Resolve } from './decode-stream.ts'
import { readIndirectObject } from './indirect-object.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import { readStreamData } from './stream-data.ts'
import { countOf, isName, NULL, type PdfDict } from './value.ts'
import { FREE, ordered, plainEntry, type Subsection, subsectionOf, type XrefEntry, type XrefSection } from './xref-entry.ts'

type Widths = readonly [number, number, number]

/** It is needed to find any object, so it must not refer to one (ISO 32000-2, 7.5.8.2). */
const directOnly: Resolve = (value) => {
  if (value?.kind === 'ref') throw damaged()
  return value ?? NULL
}

/** Reads the cross-reference stream at `position`. */
export function readXrefStream(source: ByteSource, budget: PdfBudget, position: number): XrefSection {
  const { value: stream } = readIndirectObject(source, budget, position)
  if (stream.kind !== 'stream' || !isName(stream.dict.entries.get('Type'), 'XRef')) throw damaged()
  const { dict } = stream
  const data = decodeStream(dict, readStreamData(source, stream, directOnly), budget, directOnly)
  if (data === undefined) throw damaged()
  const widths = widthsOf(dict)
  const rowBytes = widths[0] + widths[1] + widths[2]
  const subsections = subsectionsOf(dict, rowBytes, budget.limits.xrefEntries)
  const last = subsections.at(-1)
  if (last !== undefined && last.at + last.count * rowBytes > data.length) throw damaged()
  const sorted = ordered(subsections)
  return {
    kind: 'stream',
    start: position,
    end: position + dict.end,
    trailer: dict,
    subsections: sorted,
    find(num) {
      const subsection = subsectionOf(sorted, num)
      return subsection && entryAt(data, subsection.at + (num - subsection.first) * rowBytes, widths)
    },
  }
}

function widthsOf(dict: PdfDict): Widths {
  const value = dict.entries.get('W')
  if (value?.kind !== 'array') throw damaged()
  const [type, second, third] = value.items.map(countOf)
  if (type === undefined || second === undefined || third === undefined) throw damaged()
  if (Math.max(type, second, third) > 8 || second === 0) throw damaged()
  return [type, second, third]
}

function subsectionsOf(dict: PdfDict, rowBytes: number, limit: number): Subsection[] {
  const index = dict.entries.get('Index')
  const numbers =
    index === undefined ? [0, countOf(dict.entries.get('Size'))] : index.kind === 'array' ? index.items.map(countOf) : []
  const subsections: Subsection[] = []
  let entries = 0
  for (let at = 0; at < numbers.length; at += 2) {
    const first = numbers[at]
    const count = numbers[at + 1]
    if (first === undefined || count === undefined) throw damaged()
    subsections.push({ first, count, at: entries * rowBytes })
    entries += count
    if (entries > limit) throw tooComplex('its cross-reference table is too long')
  }
  return subsections
}

function entryAt(data: Buffer, at: number, [typeBytes, secondBytes, thirdBytes]: Widths): XrefEntry {
  const type = typeBytes === 0 ? 1 : fieldAt(data, at, typeBytes)
  const second = fieldAt(data, at + typeBytes, secondBytes)
  const third = fieldAt(data, at + typeBytes + secondBytes, thirdBytes)
  if (type === 1) return second === 0 ? FREE : plainEntry(second, third)
  if (type === 2) return { type: 'member', stream: second, index: third }
  // Type 0 is free; an unknown type means the null object (ISO 32000-2, 7.5.8.3).
  return FREE
}

function fieldAt(data: Buffer, at: number, bytes: number): number {
  let value = 0
  for (let index = 0; index < bytes; index++) value = value * 256 + (data[at + index] ?? 0)
  return value
}

function damaged(): Error {
  return malformed('its cross-reference stream is damaged')
}
