// Inline images (BI ... ID data EI) hold raw bytes in the middle of a content stream; their end can only be guessed at, because
// EI may occur in the data. ISO 32000-2, 8.9.7.
/** After a true EI comes text; binary data rarely looks like text for this long. */
const LOOKAHEAD_BYTES = 10

/** Where reading goes on behind the EI that ends the image whose data begins at `from`; the end of the bytes if there is none. */
export function endOfInlineImage(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('EI', from, 'latin1'); at >= 0; at = bytes.indexOf('EI', at + 1, 'latin1')) {
    if (isWhitespace(bytes[at - 1]) && isEnd(bytes, at + 2)) return at + 2
  }
  return bytes.length
}

function isEnd(bytes: Buffer, at: number): boolean {
  if (at >= bytes.length) return true
  if (!isWhitespace(bytes[at])) return false
  const end = Math.min(bytes.length, at + LOOKAHEAD_BYTES)
  for (let next = at + 1; next < end; next++) if (!isText(bytes[next] ?? 0)) return false
  return true
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0x00
}
