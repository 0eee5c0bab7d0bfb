// Which objects refer to an object. A change is permitted only if nothing else uses the changed object: an appearance could also be the
// content of a page.
import { chargeParsed } from '../budget.ts'
import { PdfError } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfDict, type PdfRef, type PdfValue } from '../read/value.ts'

export interface Referrer {
  /** The object number; 0 for the trailer. */
  readonly from: number
  /** The key of the object's own dictionary below which the reference is; empty in an array. */
  readonly key: string
}

export type References = ReadonlyMap<number, readonly Referrer[]>

const TRAILER = 0
/** A cross-reference stream has the entries of a trailer, which counts only as the newest one. */
const TRAILER_KEYS = ['Root', 'Info']

/** Finds the references to these objects in all objects of the file. Throws DOCUMENT_TOO_COMPLEX. */
export function indexReferences(file: PdfFile, targets: ReadonlySet<number>): References {
  const index = new Map<number, Referrer[]>()
  const addOne = (num: number, from: number, key: string): void => {
    if (!targets.has(num)) return
    const referrers = index.get(num) ?? []
    const last = referrers.at(-1)
    if (last?.from !== from || last.key !== key) referrers.push({ from, key })
    index.set(num, referrers)
  }
  const add = (value: PdfValue, from: number, key: string): void => {
    for (const { num } of referencesIn(value)) addOne(num, from, key)
  }
  const addEntries = (dict: PdfDict, from: number, without: readonly string[]): void => {
    for (const [key, value] of dict.entries) if (!without.includes(key)) add(value, from, key)
  }
  addEntries(file.trailer, TRAILER, [])
  for (const num of file.objectNumbers()) {
    const value = readable(file, num)
    if (value?.kind === 'dict') addEntries(value, num, [])
    else if (value?.kind === 'stream')
      addEntries(value.dict, num, isName(value.dict.entries.get('Type'), 'XRef') ? TRAILER_KEYS : [])
    else if (value !== undefined) add(value, num, '')
    else for (const target of looseReferences(file, num)) addOne(target, num, '')
  }
  return index
}

/** The references in a value, without what they lead to. */
export function* referencesIn(value: PdfValue): Generator<PdfRef> {
  if (value.kind === 'ref') yield value
  else if (value.kind === 'array') for (const item of value.items) yield* referencesIn(item)
  else if (value.kind === 'stream') yield* referencesIn(value.dict)
  else if (value.kind === 'dict') for (const item of value.entries.values()) yield* referencesIn(item)
}

/** Undefined for an object that only lenient readers can read. */
function readable(file: PdfFile, num: number): PdfValue | undefined {
  try {
    return file.get(num)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return undefined
    throw error
  }
}

const REFERENCE = /(?<![0-9])([0-9]{1,10})[\0\t\n\f\r ]{1,16}[0-9]{1,5}[\0\t\n\f\r ]{1,16}R/g
const UNREADABLE_BYTES = 64 * 1024

/** The numbers of what looks like references in an unreadable object: a lenient reader may follow them. */
function* looseReferences({ xref, source, base, budget }: PdfFile, num: number): Generator<number> {
  const entry = xref.find(num)
  if (entry?.type !== 'plain') return
  chargeParsed(budget, UNREADABLE_BYTES)
  const text = source.read(base + entry.offset, base + entry.offset + UNREADABLE_BYTES).toString('latin1')
  for (const [, target] of (text.split('endobj', 1)[0] ?? '').matchAll(REFERENCE)) yield Number(target)
}
