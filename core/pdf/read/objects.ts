// Objects by number: finds the entry, reads the object at its offset, checks its number, caches the last ones.
import type { PdfBudget } from '../budget.ts'
import type { ByteSource } from './byte-source.ts'
import { decodeStream, type Resolve } from './decode-stream.ts'
import { readIndirectObject } from './indirect-object.ts'
import { newObjectCache, type ObjectCache } from './object-cache.ts'
import { type ObjectStream, openObjectStream } from './object-stream.ts'
import { refuseDuplicateKeys } from './duplicate-keys.ts'
import { malformed } from '../pdf-error.ts'
import { readStreamData } from './stream-data.ts'
import { NULL, type PdfDict, type PdfRef, type PdfValue } from './value.ts'
import type { XrefEntry } from './xref-entry.ts'
import type { Xref } from './xref.ts'

export interface Objects {
  readonly source: ByteSource
  readonly budget: PdfBudget
  /** The byte that offsets are relative to. */
  readonly base: number
  readonly xref: Xref
  readonly cache: ObjectCache<PdfValue>
  readonly streamCache: ObjectCache<ObjectStream>
}

type PlainEntry = Extract<XrefEntry, { type: 'plain' }>

const MIB = 1024 * 1024
const MAX_CACHED_OBJECT_BYTES = 8 * MIB
const MAX_CACHED_OBJECT_STREAM_BYTES = 32 * MIB
const MAX_REFERENCE_CHAIN = 16

/** The objects of a file; nothing is read yet. */
export function newObjects(source: ByteSource, budget: PdfBudget, base: number, xref: Xref): Objects {
  const cache = newObjectCache<PdfValue>(MAX_CACHED_OBJECT_BYTES)
  return { source, budget, base, xref, cache, streamCache: newObjectCache<ObjectStream>(MAX_CACHED_OBJECT_STREAM_BYTES) }
}

/** The object with this number, or null when there is none. */
export function getObject(objects: Objects, num: number): PdfValue {
  return objects.cache.get(num) ?? readEntry(objects, num, objects.xref.find(num))
}

/** The value itself, or the target of its reference. */
export function resolveValue(objects: Objects, value: PdfValue | undefined): PdfValue {
  let resolved = value ?? NULL
  for (let steps = 0; resolved.kind === 'ref'; steps++) {
    if (steps === MAX_REFERENCE_CHAIN) throw malformed('references in it lead in a loop')
    resolved = follow(objects, resolved)
  }
  return resolved
}

/** The catalog, which /Root of the newest trailer refers to. */
export function readCatalog(objects: Objects): PdfDict {
  const { trailer } = objects.xref.newest
  const root = trailer.entries.get('Root')
  const catalog = root?.kind === 'ref' ? resolveValue(objects, root) : NULL
  if (catalog.kind !== 'dict') throw malformed('its catalog is damaged')
  refuseDuplicateKeys(trailer, 'its trailer has the same key twice')
  refuseDuplicateKeys(catalog, 'its catalog has the same key twice')
  return catalog
}

// By the standard, a reference with a wrong generation number means null (7.3.10); some viewers resolve it to the object.
function follow(objects: Objects, ref: PdfRef): PdfValue {
  const entry = objects.xref.find(ref.num)
  if (entry === undefined) return NULL
  const gen = entry.type === 'plain' ? entry.gen : 0
  if (ref.gen !== gen) throw malformed('a reference in it has a wrong generation number')
  return objects.cache.get(ref.num) ?? readEntry(objects, ref.num, entry)
}

function readEntry(objects: Objects, num: number, entry: XrefEntry | undefined): PdfValue {
  if (entry === undefined || entry.type === 'free') return NULL
  if (entry.type === 'plain') return readPlain(objects, num, entry)
  // Not cached: the decoded object stream is, and a cached member would keep it alive for longer.
  return objectStream(objects, entry.stream).member(num, entry.index)
}

function readPlain(objects: Objects, num: number, entry: PlainEntry): PdfValue {
  const { source, budget, base, cache } = objects
  const object = readIndirectObject(source, budget, base + entry.offset)
  if (object.num !== num || object.gen !== entry.gen) {
    throw malformed('an object is not where the cross-reference table says')
  }
  cache.set(num, object.value, object.weight)
  return object.value
}

function objectStream(objects: Objects, num: number): ObjectStream {
  const { source, budget, xref, streamCache } = objects
  const known = streamCache.get(num)
  if (known !== undefined) return known
  const entry = xref.find(num)
  const stream = entry?.type === 'plain' ? readPlain(objects, num, entry) : NULL
  if (stream.kind !== 'stream') throw malformed('one of its object streams is missing')
  // Objects that an object stream needs must not be in an object stream (ISO 32000-2, 7.5.7); this also prevents loops between object streams.
  const resolve: Resolve = (value) => (value?.kind === 'ref' ? plainTarget(objects, value) : (value ?? NULL))
  const data = decodeStream(stream.dict, readStreamData(source, stream, resolve), budget, resolve)
  if (data === undefined) throw malformed('one of its object streams is damaged')
  const opened = openObjectStream(stream.dict, data, budget, resolve)
  streamCache.set(num, opened, data.length)
  return opened
}

function plainTarget(objects: Objects, ref: PdfRef): PdfValue {
  const entry = objects.xref.find(ref.num)
  const target = entry?.type === 'plain' ? readPlain(objects, ref.num, entry) : NULL
  if (target.kind === 'ref') throw malformed('one of its object streams is damaged')
  return target
}
