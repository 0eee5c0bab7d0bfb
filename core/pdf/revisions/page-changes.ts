// Permitted changes of a page: the widgets of new signature fields among its annotations, and other annotations where the signature permits
// them. Everything else about a page must stay.
import type { PdfPage } from '../read/page-tree.ts'
import { isName, type PdfDict, type PdfValue } from '../read/value.ts'
import {
  account,
  accountForNew,
  ChangeNotPermittedError,
  type Comparison,
  dictIn,
  isNew,
  itemsIn,
  numberOf,
} from './comparison.ts'
import { differingKeys, isSameItem } from './same-value.ts'

const ANNOTATIONS = 3
/** Notes and marks. Not links, media, attachments and form fields. */
const NOTES =
  'Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink Popup'.split(' ')
const ACTIONS = ['A', 'AA']
/** Entries that lead to the page and to other annotations. */
const UPWARDS = ['P', 'Parent']

export function accountForPages(comparison: Comparison): void {
  const { before, changed } = comparison
  for (const page of before.pages()) {
    const list = numberOf(page.dict.entries.get('Annots'))
    const isListed = list !== undefined && changed.has(list)
    if (changed.has(page.num) || isListed) accountForPage(comparison, page)
    else if (comparison.permissions.level === ANNOTATIONS)
      accountForNotes(comparison, itemsIn(before, page.dict.entries.get('Annots')))
  }
}

function accountForPage(comparison: Comparison, page: PdfPage): void {
  const { before, after, permissions } = comparison
  const dict = after.get(page.num)
  const differing = dict.kind === 'dict' ? differingKeys(page.dict, dict) : ['Contents']
  if (dict.kind !== 'dict' || !differing.every((key) => key === 'Annots')) {
    throw new ChangeNotPermittedError('the content of a page was changed')
  }
  const value = dict.entries.get('Annots')
  const [items, now] = [itemsIn(before, page.dict.entries.get('Annots')), itemsIn(after, value)]
  if (permissions.level === ANNOTATIONS) checkRemovedNotes(comparison, items, now)
  else if (!items.every((item, index) => isSameItem(item, now[index])))
    throw new ChangeNotPermittedError('an annotation was removed')
  accountForAdded(comparison, items, now)
  account(comparison, page.num, () => true, '')
  const list = numberOf(value)
  const isList = ({ key }: { key: string }) => key === 'Annots' || key === 'Fields' || key === 'AcroForm'
  if (list !== undefined) account(comparison, list, isList, 'a list of annotations is used for something else')
}

function accountForAdded(comparison: Comparison, items: readonly PdfValue[], now: readonly PdfValue[]): void {
  const added = now.filter((item) => !items.some((old) => isSameItem(old, item)))
  for (const item of added) {
    const num = numberOf(item)
    const annotation = dictIn(comparison.after, item)
    if (num !== undefined && comparison.newWidgets.has(num)) continue
    const isNote = num !== undefined && isNew(comparison, num) && isPermittedNote(comparison, annotation)
    if (!isNote) throw new ChangeNotPermittedError('an annotation was added')
    accountForNew(comparison, item)
  }
  if (comparison.permissions.level === ANNOTATIONS) accountForNotes(comparison, items)
}

function isPermittedNote({ permissions }: Comparison, note: PdfDict | undefined): boolean {
  return permissions.level === ANNOTATIONS && isNote(note)
}

function isNote(note: PdfDict | undefined): boolean {
  if (note === undefined || note.ambiguous) return false
  const { entries } = note
  return NOTES.some((kind) => isName(entries.get('Subtype'), kind)) && !ACTIONS.some((key) => entries.has(key))
}

/** Notes that were there before may change. */
function accountForNotes(comparison: Comparison, items: readonly PdfValue[]): void {
  const { before, after, changed } = comparison
  for (const item of items) {
    const num = numberOf(item)
    if (num === undefined || !changed.has(num)) continue
    if (![before, after].every((file) => isNote(dictIn(file, item)))) continue
    comparison.accounted.add(num)
    for (const [key, value] of dictIn(after, item)?.entries ?? []) if (!UPWARDS.includes(key)) accountForNew(comparison, value)
  }
}

function checkRemovedNotes({ before }: Comparison, items: readonly PdfValue[], now: readonly PdfValue[]): void {
  for (const item of items) {
    if (now.some((kept) => isSameItem(kept, item))) continue
    if (!isNote(dictIn(before, item))) throw new ChangeNotPermittedError('an annotation was removed')
  }
}
