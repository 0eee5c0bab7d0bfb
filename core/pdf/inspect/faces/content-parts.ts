// The content of a page in several parts, which readers do not join alike (ISO 32000-2, 7.8.2).
import { irregular } from '../../pdf-error.ts'
import type { PdfPage } from '../../read/page-tree.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { isNull } from '../../read/value.ts'
import { type ContentReader, newContentReader, nextOperator, readContent, skipInlineImage } from '../content-reader.ts'
import { IMAGE_DATA } from '../content-flaws.ts'
import type { PageContent } from '../decode-content.ts'
import { itemsOf } from '../entries.ts'

const [LINE_FEED, CARRIAGE_RETURN, SPACE, PERCENT] = [0x0a, 0x0d, 0x20, 0x25]

/** Throws DOCUMENT_INVALID where readers differ: some show nothing of a page with a null among its parts, some join the parts without a line end. */
export function checkParts(file: PdfFile, { dict, index }: PdfPage, content: PageContent): void {
  const parts = itemsOf(file, dict.entries.get('Contents'))
  if (parts.some((part) => isNull(file.resolve(part)))) throw irregular(`a part of the content of page ${index + 1} is null`)
  if (hasOpenComment(content)) throw irregular(`a part of the content of page ${index + 1} ends within a comment`)
}

/** Whether a comment at the end of a part takes in what follows when the parts are joined without a line end, as poppler, MuPDF and PDFium do. */
export function hasOpenComment({ bytes, joints }: PageContent): boolean {
  const suspects = joints.filter((joint) => hasPercentSign(bytes, joint))
  if (suspects.length === 0) return false
  const joined = Buffer.from(bytes)
  for (const joint of suspects) joined[joint] = SPACE
  return !readAlike(bytes, joined)
}

/** Whether the last line before this place has a percent sign. */
function hasPercentSign(bytes: Buffer, end: number): boolean {
  for (let at = end - 1; at >= 0; at--) {
    const byte = bytes[at]
    if (byte === PERCENT) return true
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return false
  }
  return false
}

/** Whether both have the same tokens at the same places. */
function readAlike(one: Buffer, other: Buffer): boolean {
  const readers = [newReader(one), newReader(other)] as const
  for (;;) {
    const [operator, same] = readers.map(nextOperator)
    const [first, second] = readers
    if (operator !== same || first.position !== second.position || first.operands.count !== second.operands.count) return false
    if (operator === 0) return true
    if (operator === IMAGE_DATA) readers.forEach(skipInlineImage)
  }
}

function newReader(bytes: Buffer): ContentReader {
  const reader = newContentReader()
  readContent(reader, bytes, 0)
  return reader
}
