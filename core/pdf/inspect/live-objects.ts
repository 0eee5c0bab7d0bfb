// Visits every object in use, at any depth, referenced or not. Stream data is not read, except object streams.
import { malformed, PdfError } from '../pdf-error.ts'
import type { ListedObject, PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfDict, type PdfRef, type PdfValue } from '../read/value.ts'

export interface Place {
  /** The object that the dictionary is, or is in; undefined in the trailer. */
  readonly num: number | undefined
  /** It is the dictionary of a stream. */
  readonly ofStream: boolean
}

export type DictionaryVisitor = (dict: PdfDict, place: Place) => void

export interface ObjectVisitor {
  dictionary?: DictionaryVisitor
  /** A reference in an object, or in the trailer. */
  reference?(ref: PdfRef, num: number | undefined): void
  /** An object; its value is undefined when it cannot be read. */
  object?(object: ListedObject, value: PdfValue | undefined): void
}

/**
 * Calls the visitor for all objects. An unreadable object is skipped when nothing refers to it, which is common and harmless; otherwise
 * throws DOCUMENT_INVALID. Throws DOCUMENT_TOO_COMPLEX, and what the visitor throws.
 */
export function visitLiveObjects(file: PdfFile, visitor: ObjectVisitor): void {
  const referred = new Uint8Array(file.size)
  const damaged: number[] = []
  const walk = (value: PdfValue, num: number | undefined, ofStream = false): void => {
    if (value.kind === 'ref') {
      referred[value.num] = 1
      visitor.reference?.(value, num)
    } else if (value.kind === 'stream') walk(value.dict, num, true)
    else if (value.kind === 'array') for (const item of value.items) walk(item, num)
    else if (value.kind === 'dict') {
      visitor.dictionary?.(value, { num, ofStream })
      for (const item of value.entries.values()) walk(item, num)
    }
  }
  walk(file.trailer, undefined)
  for (const listed of file.entries()) {
    const value = readable(file, listed.num)
    visitor.object?.(listed, value)
    if (value === undefined) damaged.push(listed.num)
    // The dictionary of a cross-reference stream is a trailer, and only the newest one counts.
    else if (!isTrailer(value)) walk(value, listed.num)
  }
  const num = damaged.find((each) => referred[each] === 1)
  if (num !== undefined) throw malformed(`its object ${num} is damaged`)
}

function isTrailer(value: PdfValue): boolean {
  return value.kind === 'stream' && isName(value.dict.entries.get('Type'), 'XRef')
}

function readable(file: PdfFile, num: number): PdfValue | undefined {
  try {
    return file.get(num)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return undefined
    throw error
  }
}
