// Inline images (BI ... ID data EI) hold raw bytes within a content stream; their end is a guess, because EI can occur in the data. ISO 32000-2, 8.9.7.
import { isRegular, isSpace } from '../read/lexer.ts'

/** Text follows a real EI; binary data rarely looks like text for this long. */
const LOOKAHEAD_BYTES = 10

/** The position after the EI that ends the image data starting at `from`; -1 without one. */
export function endOfInlineImage(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('EI', from, 'latin1'); at >= 0; at = bytes.indexOf('EI', at + 1, 'latin1')) {
    const end = at + 2
    if (isSpace(bytes[at - 1] ?? -1) && !isRegular(bytes[end] ?? -1) && isText(bytes.subarray(end, end + LOOKAHEAD_BYTES)))
      return end
  }
  return -1
}

function isText(bytes: Buffer): boolean {
  return bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09)
}
