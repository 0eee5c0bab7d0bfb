// Objects by number: finds the entry, reads the object at its place, checks that it is the wanted one, keeps the last ones read.
import type { PdfBudget } from '../budget.ts'
import type { ByteSource } from './byte-source.ts'
import { decodeStream, type Resolve } from '../filters/decode-stream.ts'
import { readIndirectObject } from './indirect-object.ts'
import { newObjectCache, type ObjectCache } from './object-cache.ts'
import { type ObjectStream, openObjectStream } from './object-stream.ts'
import { malformed } from '../pdf-fault.ts'
import { readStreamData } from './stream-data.ts'
import { NULL, type PdfDict, type PdfRef, type PdfValue } from './value.ts'
import type { XrefEntry } from './xref-entry.ts'
import type { Xref } from './xref.ts'

export interface Objects {
  readonly source: ByteSource
  readonly budget: PdfBudget
  /** The byte from which offsets count. */
  readonly base: number
  readonly xref: Xref
  readonly kept: ObjectCache<PdfValue>
  readonly keptStreams: ObjectCache<ObjectStream>
}

type PlainEntry = Extract<XrefEntry, { type: 'plain' }>

const MIB = 1024 * 1024
const KEPT_OBJECT_BYTES = 8 * MIB
const KEPT_OBJECT_STREAM_BYTES = 32 * MIB
const MAX_REFERENCE_CHAIN = 16

/** The objects of a file, none of them read yet. */
export function newObjects(source: ByteSource, budget: PdfBudget, base: number, xref: Xref): Objects {
  const kept = newObjectCache<PdfValue>(KEPT_OBJECT_BYTES)
  return { source, budget, base, xref, kept, keptStreams: newObjectCache<ObjectStream>(KEPT_OBJECT_STREAM_BYTES) }
}

/** The object with this number, or null when there is none. */
export function getObject(objects: Objects, num: number): PdfValue {
  return objects.kept.get(num) ?? readEntry(objects, num, objects.xref.find(num))
}

/** The value itself, or what it refers to in the end. */
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
  if (catalog.kind !== 'dict' || trailer.ambiguous || catalog.ambiguous) throw malformed('its catalog is damaged')
  return catalog
}

// A reference with a wrong generation number means null by the standard (7.3.10), and the object itself to some viewers.
function follow(objects: Objects, ref: PdfRef): PdfValue {
  const entry = objects.xref.find(ref.num)
  if (entry === undefined) return NULL
  const gen = entry.type === 'plain' ? entry.gen : 0
  if (ref.gen !== gen) throw malformed('a reference in it has a wrong generation number')
  return objects.kept.get(ref.num) ?? readEntry(objects, ref.num, entry)
}

function readEntry(objects: Objects, num: number, entry: XrefEntry | undefined): PdfValue {
  if (entry === undefined || entry.type === 'free') return NULL
  if (entry.type === 'plain') return readPlain(objects, num, entry)
  // Not kept: the decoded object stream is, and a kept member would hold on to it for longer.
  return objectStream(objects, entry.stream).member(num, entry.index)
}

function readPlain(objects: Objects, num: number, entry: PlainEntry): PdfValue {
  const { source, budget, base, kept } = objects
  const object = readIndirectObject(source, budget, base + entry.offset)
  if (object.num !== num || object.gen !== entry.gen) {
    throw malformed('an object is not where the cross-reference table says')
  }
  kept.set(num, object.value, object.weight)
  return object.value
}

function objectStream(objects: Objects, num: number): ObjectStream {
  const { source, budget, xref, keptStreams } = objects
  const known = keptStreams.get(num)
  if (known !== undefined) return known
  const entry = xref.find(num)
  const stream = entry?.type === 'plain' ? readPlain(objects, num, entry) : NULL
  if (stream.kind !== 'stream') throw malformed('one of its object streams is missing')
  // What an object stream refers to has to stand in the file by itself (ISO 32000-2, 7.5.7); that also keeps object streams from
  // needing each other in a loop.
  const resolve: Resolve = (value) => (value?.kind === 'ref' ? plainTarget(objects, value) : (value ?? NULL))
  const data = decodeStream(stream.dict, readStreamData(source, stream, resolve), budget, resolve)
  if (data === undefined) throw malformed('one of its object streams is damaged')
  const opened = openObjectStream(stream.dict, data, budget, resolve)
  keptStreams.set(num, opened, data.length)
  return opened
}

function plainTarget(objects: Objects, ref: PdfRef): PdfValue {
  const entry = objects.xref.find(ref.num)
  const target = entry?.type === 'plain' ? readPlain(objects, ref.num, entry) : NULL
  if (target.kind === 'ref') throw malformed('one of its object streams is damaged')
  return target
}
