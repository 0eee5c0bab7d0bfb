// Dictionaries that have a key twice, with different values. Most readers take the last value, and poppler takes the first font with a name.
import { irregular } from '../../pdf-error.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { isName, type PdfDict } from '../../read/value.ts'
import type { Place } from '../live-objects.ts'
import { readPageUse } from './page-use.ts'

export interface RepeatedKeyCheck {
  dictionary(dict: PdfDict, place: Place): void
  /** To be called after all dictionaries are visited. Throws DOCUMENT_INVALID when a page uses such a dictionary, or readers find objects by one. */
  finish(): void
}

export function openRepeatedKeyCheck(file: PdfFile): RepeatedKeyCheck {
  /** The first key of each object. */
  const found = new Map<number, string>()
  return {
    dictionary(dict, { num, ofStream }) {
      const [key] = dict.duplicateKeys
      if (key === undefined || num === undefined || found.has(num)) return
      if (ofStream && isName(dict.entries.get('Type'), 'ObjStm'))
        throw irregular(`object ${num}, which holds others, has the key ${key} twice`)
      found.set(num, key)
    },
    finish() {
      if (found.size === 0) return
      const use = readPageUse(file)
      for (const [num, key] of found) {
        const page = use.get(num)
        if (page !== undefined) throw irregular(`object ${num}, on page ${page + 1}, has the key ${key} twice`)
      }
    },
  }
}
