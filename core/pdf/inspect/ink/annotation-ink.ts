// Form fields and other annotations are drawn over the content of the page, and so over a seal in it.
import { INK } from '../../placement/ink-grid.ts'
import type { PdfPage } from '../../read/page-tree.ts'
import type { PdfFile } from '../../read/pdf-file.ts'
import { countOf, NULL } from '../../read/value.ts'
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
  for (const item of list.kind === 'array' ? list.items : []) {
    const annotation = withFallback(() => file.resolve(item), NULL)
    if (annotation.kind !== 'dict') continue
    const subtype = file.resolve(annotation.entries.get('Subtype'))
    const flags = countOf(file.resolve(annotation.entries.get('F'))) ?? 0
    const isVisible = (flags & (HIDDEN | NO_VIEW)) === 0
    const box = boxEntry(file, annotation, 'Rect')
    if (box !== undefined && isVisible && subtype.kind === 'name' && !WITHOUT_AREA.includes(subtype.name))
      addInk(sheet, box, INK.TEXT)
  }
}
