// Whether two values mean the same, however they are written. References are compared by number, not by what they lead to.
import type { PdfFile } from '../read/pdf-file.ts'
import { stringBytes } from '../read/text-string.ts'
import { isNull, NULL, type PdfArray, type PdfDict, type PdfStream, type PdfValue } from '../read/value.ts'

/** Streams are the same only with the same data. */
export function isSameValue(before: PdfFile, one: PdfValue | undefined, after: PdfFile, other: PdfValue | undefined): boolean {
  return same(one ?? NULL, other ?? NULL, (stream, changed) => before.streamData(stream).equals(after.streamData(changed)))
}

/** The keys whose values differ; a null value means that the key is missing (ISO 32000-2, 7.3.7). */
export function differingKeys(before: PdfDict | undefined, after: PdfDict | undefined): string[] {
  const keys = new Set([...(before?.entries.keys() ?? []), ...(after?.entries.keys() ?? [])])
  return [...keys].filter((key) => !same(before?.entries.get(key) ?? NULL, after?.entries.get(key) ?? NULL, () => false))
}

/** Whether two values inside of an object, which cannot be streams, mean the same. */
export function isSameItem(one: PdfValue | undefined, other: PdfValue | undefined): boolean {
  return same(one ?? NULL, other ?? NULL, () => false)
}

type SameData = (one: PdfStream, other: PdfStream) => boolean

function same(one: PdfValue, other: PdfValue, sameData: SameData): boolean {
  if (one.kind === 'dict') return other.kind === 'dict' && sameDict(one, other, sameData)
  if (one.kind === 'array') return other.kind === 'array' && sameItems(one.items, other.items, sameData)
  if (one.kind === 'stream') return other.kind === 'stream' && sameDict(one.dict, other.dict, sameData) && sameData(one, other)
  return one.kind === other.kind && contentOf(one) === contentOf(other)
}

/** What counts of a value without parts. */
function contentOf(value: Exclude<PdfValue, PdfDict | PdfArray | PdfStream>): string | number {
  switch (value.kind) {
    case 'string':
      return stringBytes(value).toString('latin1')
    case 'ref':
      return `${value.num} ${value.gen}`
    case 'name':
      return value.name
    case 'number':
      return value.value
    case 'keyword':
    default:
      return value.word
  }
}

function sameItems(items: readonly PdfValue[], others: readonly PdfValue[], sameData: SameData): boolean {
  return items.length === others.length && items.every((item, index) => same(item, others[index] ?? NULL, sameData))
}

/** An ambiguous dictionary equals none: viewers disagree on what it holds. */
function sameDict(one: PdfDict, other: PdfDict, sameData: SameData): boolean {
  if (one.ambiguous || other.ambiguous) return false
  const [entries, others] = [one, other].map((dict) => [...dict.entries].filter(([, value]) => !isNull(value)))
  if (entries?.length !== others?.length) return false
  return (entries ?? []).every(([key, value]) => same(value, other.entries.get(key) ?? NULL, sameData))
}
