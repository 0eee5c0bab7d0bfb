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
  let isFound = false
  return {
    dictionary({ duplicateKeys: [key], entries }, { num, ofStream }) {
      if (key === undefined) return
      if (ofStream && isName(entries.get('Type'), 'ObjStm'))
        throw irregular(`object ${num}, which holds others, has the key ${key} twice`)
      isFound = true
    },
    finish() {
      if (!isFound) return
      readPageUse(file, {
        dictionary({ duplicateKeys: [key] }, page, num) {
          if (key !== undefined) throw irregular(`the key ${key} is twice in a dictionary of page ${page + 1} (object ${num})`)
        },
      })
    },
  }
}
