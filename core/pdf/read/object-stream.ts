// An object stream (ISO 32000-2, 7.5.7): many small objects, compressed together. Members are parsed on demand.
import { type PdfBudget, chargeParsed } from '../budget.ts'
import type { Resolve } from './decode-stream.ts'
import { cursorOver } from './indirect-object.ts'
import { readToken, readValue } from './parser.ts'
import { malformed, tooComplex } from '../pdf-error.ts'
import { countOf, isName, type PdfDict, type PdfValue } from './value.ts'

export interface ObjectStream {
  readonly bytes: Buffer
  /** The numbers of its members, in their order. */
  readonly numbers: Int32Array
  /** The member at this index. Throws DOCUMENT_INVALID unless its number is `num`. */
  member(num: number, index: number): PdfValue
}

/** Reads the index of an object stream whose decoded data is `bytes`. */
export function openObjectStream(dict: PdfDict, bytes: Buffer, budget: PdfBudget, resolve: Resolve): ObjectStream {
  const count = countOf(resolve(dict.entries.get('N')))
  const first = countOf(resolve(dict.entries.get('First')))
  if (!isName(dict.entries.get('Type'), 'ObjStm') || count === undefined || first === undefined) throw damaged()
  if (count > budget.limits.objects) throw tooComplex(`it has more than ${budget.limits.objects} objects`)
  if (first > bytes.length) throw damaged()
  const cursor = cursorOver(bytes, 0, budget)
  const numbers = new Int32Array(count)
  const offsets = new Int32Array(count)
  for (let index = 0; index < count; index++) {
    numbers[index] = countOf(readToken(cursor)) ?? -1
    offsets[index] = countOf(readToken(cursor)) ?? -1
  }
  if (cursor.at > first) throw damaged()
  return {
    bytes,
    numbers,
    member(num, index) {
      const offset = offsets[index]
      if (offset === undefined || offset < 0 || numbers[index] !== num) throw damaged()
      const at = first + offset
      const member = cursorOver(bytes, at, budget)
      const value = readValue(member)
      chargeParsed(budget, member.at - at)
      return value
    },
  }
}

function damaged(): Error {
  return malformed('one of its object streams is damaged')
}
