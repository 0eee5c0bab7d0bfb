// The names of the signers in the signature dictionary of a seal. A name that begins with XX is for private use (ISO 32000-2, annex E), so
// other products ignore the entry, and the seal signs it.
import type { PdfFile } from '#core/pdf/read/pdf-file.ts'
import { formatText } from '#core/pdf/read/syntax.ts'
import { textOf } from '#core/pdf/read/text-string.ts'
import type { PdfDict } from '#core/pdf/read/value.ts'

const KEY = 'XXSealwrightSigners'

/** The entry of the signature dictionary, in signing order; empty without signers. */
export function formatSigners(names: readonly string[]): string {
  return names.length === 0 ? '' : `/${KEY}[${names.map(formatText).join('')}]`
}

export function readSigners(file: PdfFile, dict: PdfDict): string[] {
  const list = file.resolve(dict.entries.get(KEY))
  const items = list.kind === 'array' ? list.items.map((item) => file.resolve(item)) : []
  return items.flatMap((item) => (item.kind === 'string' ? [textOf(item)] : []))
}
