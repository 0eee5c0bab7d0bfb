// Fonts that some readers replace while others do not show their words.
import type { PdfFile } from '../../read/pdf-file.ts'
import { isNull, type PdfDict, type PdfValue } from '../../read/value.ts'
import { withFallback } from '../decode-content.ts'
import { dictOf, itemsOf, nameEntry } from '../entries.ts'

/** Whether this is a font that every reader finds: with its type, and with the name or descriptor, the glyphs or the descendant that its type needs (ISO 32000-2, 9.6 and 9.7). */
export function isUsableFont(file: PdfFile, value: PdfValue | undefined): boolean {
  return withFallback(() => {
    const font = dictOf(file, value)
    const subtype = font === undefined ? undefined : nameEntry(file, font, 'Subtype')
    if (font === undefined || subtype === undefined) return false
    if (subtype === 'Type0') return isComposite(file, font)
    if (subtype === 'Type3') return dictOf(file, font.entries.get('CharProcs')) !== undefined
    return hasName(file, font) || dictOf(file, font.entries.get('FontDescriptor')) !== undefined
  }, false)
}

function isComposite(file: PdfFile, { entries }: PdfDict): boolean {
  const [descendant] = itemsOf(file, entries.get('DescendantFonts'))
  return dictOf(file, descendant) !== undefined && !isNull(file.resolve(entries.get('Encoding')))
}

/** Some writers write it as a string. */
function hasName(file: PdfFile, { entries }: PdfDict): boolean {
  const { kind } = file.resolve(entries.get('BaseFont'))
  return kind === 'name' || kind === 'string'
}
