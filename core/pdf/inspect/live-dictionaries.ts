// Visits every dictionary of a document: all objects in use, at any depth, referenced or not. Stream data is not read, except object streams.
import { malformed, PdfError } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import type { PdfDict, PdfValue } from '../read/value.ts'

export interface Place {
  /** The object that the dictionary is, or is in; undefined in the trailer. */
  readonly num: number | undefined
  /** It is the dictionary of a stream. */
  readonly ofStream: boolean
}

export type DictionaryVisitor = (dict: PdfDict, place: Place) => void

/**
 * Calls `visit` for each dictionary. An unreadable object is skipped when nothing refers to it, which is common and harmless; otherwise
 * throws DOCUMENT_INVALID. Throws DOCUMENT_TOO_COMPLEX, and what `visit` throws.
 */
export function visitLiveDictionaries(file: PdfFile, visit: DictionaryVisitor): void {
  const referred = new Uint8Array(file.size)
  const damaged: number[] = []
  const walk = (value: PdfValue, num: number | undefined, ofStream = false): void => {
    if (value.kind === 'ref') referred[value.num] = 1
    else if (value.kind === 'stream') walk(value.dict, num, true)
    else if (value.kind === 'array') for (const item of value.items) walk(item, num)
    else if (value.kind === 'dict') {
      visit(value, { num, ofStream })
      for (const item of value.entries.values()) walk(item, num)
    }
  }
  walk(file.trailer, undefined)
  for (const num of file.objectNumbers()) {
    const value = readable(file, num)
    if (value === undefined) damaged.push(num)
    else walk(value, num)
  }
  if (damaged.some((num) => referred[num] === 1)) throw malformed('one of its objects is damaged')
}

function readable(file: PdfFile, num: number): PdfValue | undefined {
  try {
    return file.get(num)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') return undefined
    throw error
  }
}
