// The simplest way to normalise a file: its own bytes without what precedes the header and what follows the last end-of-file marker. What is cut holds no
// object, because objects after the marker are the newest version of the document.
import { contradictory } from '../pdf-error.ts'
import { firstDefinition } from '../read/definitions.ts'

const HEADER = '%PDF-'
const HEADER_WITHIN_BYTES = 1024
const END_OF_FILE = '%%EOF'
/** Without an object, a table or a trailer changes the document too. */
const TABLE = /\b(?:xref|trailer)\b/

/**
 * The bytes from the header to the last `%%EOF`, or to the end where an update follows it; undefined without a header, which means that it is no PDF. Throws
 * DOCUMENT_INVALID for objects before the header: readers disagree whether they count.
 */
export function trimPdf(bytes: Buffer): Buffer | undefined {
  const start = bytes.subarray(0, HEADER_WITHIN_BYTES).indexOf(HEADER)
  if (start < 0) return undefined
  const early = firstDefinition(bytes.subarray(0, start))
  if (early !== undefined) throw contradictory(`object ${early.num} is before its header`)
  const marker = bytes.lastIndexOf(END_OF_FILE)
  const end = marker < start ? bytes.length : marker + END_OF_FILE.length
  return bytes.subarray(start, isUpdate(bytes.subarray(end)) ? bytes.length : end)
}

function isUpdate(tail: Buffer): boolean {
  return firstDefinition(tail) !== undefined || TABLE.test(tail.toString('latin1'))
}

/**
 * Whether a signature is written anywhere in the file, other than that of usage rights, which is by the vendor of a reader and about nothing that the document
 * shows. The /ByteRange is never compressed or encrypted, also in a damaged file.
 */
export function mentionsSignature(bytes: Buffer): boolean {
  const first = bytes.indexOf('/ByteRange')
  return bytes.includes('/UR3') ? bytes.indexOf('/ByteRange', first + 1) > first : first >= 0
}
