// Which objects are in use and which are referred to. Complete after one pass over all objects, at little cost: a reference that leads
// nowhere is rare, and a second pass finds it.
import type { PdfRef } from '../../read/value.ts'
import type { XrefEntry } from '../../read/xref-entry.ts'

export interface ReferenceMarks {
  /** Marks by object number: the generation and one; 0 for an object that is not in use. */
  readonly inUse: Uint32Array
  /** Marks by object number: whether a reference with generation 0 leads there. */
  readonly referred: Uint8Array
  /** References with other generations, or to numbers that no table can list. */
  readonly unusual: PdfRef[]
}

/** More unusual references than this are not kept: one is enough for a refusal. */
const MAX_UNUSUAL = 1_000

/** Nothing is marked; `size` is that of the file. */
export function newReferenceMarks(size: number): ReferenceMarks {
  return { inUse: new Uint32Array(size), referred: new Uint8Array(size), unusual: [] }
}

export function markInUse({ inUse }: ReferenceMarks, num: number, entry: XrefEntry): void {
  inUse[num] = generationOf(entry) + 1
}

export function markReference({ referred, unusual }: ReferenceMarks, ref: PdfRef): void {
  if (ref.gen === 0 && ref.num < referred.length) referred[ref.num] = 1
  else if (unusual.length < MAX_UNUSUAL) unusual.push(ref)
}

/** Whether a reference leads to its object: to one in use, with its own generation. */
export function isAnswered({ inUse }: ReferenceMarks, { num, gen }: Pick<PdfRef, 'num' | 'gen'>): boolean {
  return inUse[num] === gen + 1
}

/** Whether all marked references are answered. */
export function allAnswered(marks: ReferenceMarks): boolean {
  const { referred, unusual } = marks
  for (let num = 0; num < referred.length; num++) if (referred[num] === 1 && !isAnswered(marks, { num, gen: 0 })) return false
  return unusual.every((ref) => isAnswered(marks, ref))
}

/** Members of object streams have generation 0 (ISO 32000-2, 7.5.7). */
function generationOf(entry: XrefEntry): number {
  return entry.type === 'plain' ? entry.gen : 0
}
