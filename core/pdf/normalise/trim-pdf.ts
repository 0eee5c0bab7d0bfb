// The simplest way to normalise a file: its own bytes without what precedes the header and what follows the last end-of-file marker.
const HEADER = '%PDF-'
const HEADER_WITHIN_BYTES = 1024
const END_OF_FILE = '%%EOF'

/** The bytes from the header to the last `%%EOF`, or to the end without one; undefined without a header, which means that it is no PDF. */
export function trimPdf(bytes: Buffer): Buffer | undefined {
  const start = bytes.subarray(0, HEADER_WITHIN_BYTES).indexOf(HEADER)
  if (start < 0) return undefined
  const marker = bytes.lastIndexOf(END_OF_FILE)
  return bytes.subarray(start, marker < start ? bytes.length : marker + END_OF_FILE.length)
}

/** Whether a signature is written anywhere in the file. Its /ByteRange is never compressed or encrypted, also in a damaged file. */
export function mentionsSignature(bytes: Buffer): boolean {
  return bytes.includes('/ByteRange')
}
