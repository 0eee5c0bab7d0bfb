// Form fields and other annotations are drawn over the content of the page, and so over a seal in it.
import { INK } from '../../placement/ink-grid.ts'
import type { PdfPage } from '../../read/page-tree.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { countOf, NULL, type PdfDict } from '../../read/value.ts'
import { boxEntry } from '../number-entries.ts'
import { withFallback } from '../decode-content.ts'
import { addInk, type InkSheet } from './ink-sheet.ts'

/** Without a look of their own on the page. */
const WITHOUT_AREA = ['Link', 'Popup']
/** ISO 32000-2, table 167: hidden, or not to be viewed. */
const [HIDDEN, NO_VIEW] = [2, 32]

/** Marks the rectangles of the page's visible annotations. */
export function addAnnotations(file: PdfFile, page: PdfPage, sheet: InkSheet): void {
  const list = withFallback(() => file.resolve(page.dict.entries.get('Annots')), NULL)
  const items = list.kind === 'array' ? list.items : []
  for (const item of items) {
    const annotation = withFallback(() => file.resolve(item), NULL)
    if (annotation.kind !== 'dict') continue
    const box = boxEntry(file, annotation, 'Rect')
    if (box !== undefined && isVisible(file, annotation)) addInk(sheet, box, INK.TEXT)
  }
}

function isVisible(file: PdfFile, { entries }: PdfDict): boolean {
  const subtype = file.resolve(entries.get('Subtype'))
  const flags = countOf(file.resolve(entries.get('F'))) ?? 0
  return (flags & (HIDDEN | NO_VIEW)) === 0 && subtype.kind === 'name' && !WITHOUT_AREA.includes(subtype.name)
}
