// Type 0 fonts (ISO 32000-2, 9.7): usually two-byte codes, whose text only /ToUnicode or a Unicode CMap defines. Codes are used as CIDs, as
// with Identity-H and Identity-V; other CMaps make widths inexact but lose no marker.
import type { PdfFile } from '../read/pdf-file.ts'
import { NULL, type PdfDict } from '../read/value.ts'
import { cidWidths } from './cid-widths.ts'
import { isVertical } from './faces/cmap-direction.ts'
import { type ContentReader, nextOperator, readContent } from './content-reader.ts'
import type { ContentDecoder } from './decode-content.ts'
import { unitOf } from './marker-units.ts'
import { numbersEntry } from './number-entries.ts'
import { stringAt } from './operands.ts'
import type { FontMetrics } from './text-scope.ts'

const ASCII_CODES = 128
/** Default vertical displacement, ISO 32000-2, table 115, /DW2. */
const VERTICAL_DISPLACEMENT = -1000

/** Text by code, for CMaps whose codes are Unicode (such as UniJIS-UCS2-H). */
export const UNICODE_UNITS = Uint16Array.from({ length: ASCII_CODES }, (_, code) => unitOf(String.fromCharCode(code)))

/** Whether the font's codes are UTF-16: by the name of its CMap, or by the name that some writers put into /ToUnicode. */
export function unicodeCodes(file: PdfFile, font: PdfDict): boolean {
  const encoding = file.resolve(font.entries.get('Encoding'))
  const toUnicode = file.resolve(font.entries.get('ToUnicode'))
  if (toUnicode.kind === 'name') return toUnicode.name.startsWith('Identity')
  return encoding.kind === 'name' && /^Uni.*(?:UCS2|UTF16)/.test(encoding.name)
}

/** Bytes per code: two, unless the font's own CMap has one-byte codes only. */
export function codeBytesOf(file: PdfFile, decoder: ContentDecoder, reader: ContentReader, font: PdfDict): 1 | 2 {
  const encoding = file.resolve(font.entries.get('Encoding'))
  const cmap = encoding.kind === 'stream' ? decoder.decode(encoding) : undefined
  if (cmap === undefined) return 2
  readContent(reader, cmap, 0)
  while (nextOperator(reader) !== 0) {
    if (cmap.toString('latin1', reader.operatorStart, reader.position) !== 'endcodespacerange') continue
    const { operands } = reader
    for (let index = 0; index < operands.count; index++) if (stringAt(operands, index).length > 1) return 2
    return operands.count > 0 ? 1 : 2
  }
  return 2
}

export function compositeMetrics(file: PdfFile, decoder: ContentDecoder, reader: ContentReader, font: PdfDict): FontMetrics {
  const descendants = file.resolve(font.entries.get('DescendantFonts'))
  const descendant = descendants.kind === 'array' ? file.resolve(descendants.items[0]) : NULL
  if (descendant.kind !== 'dict') return { advance: () => 1, vertical: false, height: 1 }
  if (runsDown(file, decoder, reader, font)) {
    const displacement = numbersEntry(file, descendant, 'DW2')?.[1] ?? VERTICAL_DISPLACEMENT
    return { advance: () => displacement / 1000, vertical: true, height: 1 }
  }
  const width = cidWidths(file, descendant)
  return { advance: (code) => width(code) / 1000, vertical: false, height: 1 }
}

function runsDown(file: PdfFile, decoder: ContentDecoder, reader: ContentReader, font: PdfDict): boolean {
  const encoding = file.resolve(font.entries.get('Encoding'))
  if (encoding.kind === 'name') return encoding.name === 'V' || encoding.name.endsWith('-V')
  const cmap = encoding.kind === 'stream' ? decoder.decode(encoding) : undefined
  return cmap !== undefined && isVertical(reader, cmap)
}
