// Dictionaries with a key that occurs twice, with different values. The last value counts in most viewers, the first one in some.
import { contradictory, malformed } from '../pdf-error.ts'
import type { PdfDict } from './value.ts'

/** The entries of trailer, catalog, page tree and pages that decide what is shown. */
const SHOWN = new Set(
  'Root Prev XRefStm Encrypt Pages AcroForm OCProperties Type Kids Count Parent Contents Resources MediaBox CropBox Rotate Annots'.split(
    ' ',
  ),
)

/** Throws DOCUMENT_INVALID for a duplicate key. The document can be normalised unless the key decides what is shown. */
export function refuseDuplicateKeys(dict: PdfDict, reason: string): void {
  if (dict.duplicateKeys.length === 0) return
  throw dict.duplicateKeys.some((key) => SHOWN.has(key)) ? contradictory(reason) : malformed(reason)
}
