// Permitted changes of the form: further signature fields, and fields filled or signed where the signature permits it. ISO 32000-2, 12.7.
import { readAcroForm, walkFields } from '../read/form-fields.ts'
import { isName, isNull, type PdfDict, type PdfValue } from '../read/value.ts'
import { rootOf } from './catalog-changes.ts'
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
import { accountForField, accountForNewField } from './field-changes.ts'
import type { Referrer } from './references.ts'
import { differingKeys, isSameItem } from './same-value.ts'

const RESOURCES_CHANGED = 'the resources of its form were changed'
const FORM_KEYS = ['Fields', 'SigFlags', 'DR', 'DA', 'NeedAppearances']

export function accountForForm(comparison: Comparison): void {
  const { before, after } = comparison
  const [old, form] = [readAcroForm(before), readAcroForm(after)]
  if (form === undefined) {
    if (old !== undefined) throw new ChangeNotPermittedError('its form was removed')
    return
  }
  const root = rootOf(comparison)
  const num = numberOf(after.catalog().entries.get('AcroForm'))
  if (num !== undefined) account(comparison, num, ({ from, key }) => from === root && key === 'AcroForm', 'its form was changed')
  checkEntries(old, form)
  checkStyle(comparison, old, form)
  const isInForm = ({ from, key }: Referrer, entry: string): boolean =>
    num === undefined ? from === root && key === 'AcroForm' : from === num && key === entry
  const fields = form.entries.get('Fields')
  accountForList(comparison, old?.entries.get('Fields'), fields, (referrer) => isInForm(referrer, 'Fields'))
  accountForResources(comparison, old, form, (referrer) => isInForm(referrer, 'DR'))
  accountForFields(comparison)
}

function checkEntries(old: PdfDict | undefined, form: PdfDict): void {
  const differing = differingKeys(old, form)
  // Viewers draw every field again, without its signed appearance.
  const redraws = differing.includes('NeedAppearances') && mayBeTrue(form.entries.get('NeedAppearances'))
  const restyles = differing.includes('DA') && old?.entries.has('DA')
  if (redraws || restyles || !differing.every((key) => FORM_KEYS.includes(key))) {
    throw new ChangeNotPermittedError('settings of its form were changed')
  }
}

/** A seal keeps what a field shows, and one without an appearance is drawn by each viewer, with the fonts and the style of the form. */
function checkStyle({ before, after, changed, fieldsBefore, seal }: Comparison, old: PdfDict | undefined, form: PdfDict): void {
  if (seal === undefined || ![...fieldsBefore.values()].some(({ drawnByViewer }) => drawnByViewer)) return
  const differing = differingKeys(old, form)
  const isStyled = ['DR', 'DA'].some((key) => differing.includes(key))
  const [had, has] = [dictIn(before, old?.entries.get('DR')), dictIn(after, form.entries.get('DR'))]
  const resources = [form.entries.get('DR'), ...(has?.entries.values() ?? [])]
  const isRewritten = resources.some((value) => value?.kind === 'ref' && changed.has(value.num))
  if (isStyled || isRewritten || differingKeys(had, has).length > 0) throw new ChangeNotPermittedError(RESOURCES_CHANGED)
}

function mayBeTrue(value: PdfValue | undefined): boolean {
  return value !== undefined && !(value.kind === 'keyword' && value.word !== 'true')
}

/** A list to which items may be appended. Its object may also be the annotations of a page. */
export function accountForList(
  comparison: Comparison,
  old: PdfValue | undefined,
  list: PdfValue | undefined,
  isPermitted: (referrer: Referrer) => boolean,
): void {
  const { before, after } = comparison
  const [items, now] = [itemsIn(before, old), itemsIn(after, list)]
  if (!items.every((item, index) => isSameItem(item, now[index]))) throw new ChangeNotPermittedError('a field was removed')
  const num = numberOf(list)
  const otherwise = 'a list of fields is used for something else'
  if (num !== undefined) account(comparison, num, (referrer) => isPermitted(referrer) || referrer.key === 'Annots', otherwise)
}

/** Fonts may be added for new appearances; what was there must stay, because fields are drawn with it. */
function accountForResources(
  comparison: Comparison,
  old: PdfDict | undefined,
  form: PdfDict,
  isPermitted: (referrer: Referrer) => boolean,
): void {
  const { before, after } = comparison
  const value = form.entries.get('DR')
  const [had, has] = [dictIn(before, old?.entries.get('DR')), dictIn(after, value)]
  const owner = numberOf(value)
  for (const [key, kept] of had?.entries ?? []) {
    const now = has?.entries.get(key)
    if (!isKept(comparison, kept, now)) throw new ChangeNotPermittedError(RESOURCES_CHANGED)
    const isInResources = (referrer: Referrer): boolean => referrer.from === owner && referrer.key === key
    accountForOld(comparison, now, owner === undefined ? isPermitted : isInResources)
  }
  accountForOld(comparison, value, isPermitted)
  accountForNew(comparison, value)
  accountForAdded(comparison, has)
}

function accountForAdded(comparison: Comparison, resources: PdfDict | undefined): void {
  for (const each of resources?.entries.values() ?? []) accountForNew(comparison, comparison.after.resolve(each))
}

/** Whether every resource of this category is the same. */
function isKept({ before, after }: Comparison, kept: PdfValue, now: PdfValue | undefined): boolean {
  const [category, categoryNow] = [dictIn(before, kept), dictIn(after, now)]
  if (category === undefined) return isSameItem(kept, now)
  return [...category.entries].every(([name, each]) => isSameItem(each, categoryNow?.entries.get(name)))
}

function accountForOld(comparison: Comparison, value: PdfValue | undefined, isPermitted: (referrer: Referrer) => boolean): void {
  const num = numberOf(value)
  if (num !== undefined && !isNew(comparison, num)) account(comparison, num, isPermitted, RESOURCES_CHANGED)
}

function accountForFields(comparison: Comparison): void {
  const { after, fieldsBefore } = comparison
  const kept = new Set<number>()
  for (const field of walkFields(after)) {
    const num = field.ref?.num
    if (num === undefined) continue
    const old = fieldsBefore.get(num)
    if (old === undefined) accountForNewField(comparison, field, num)
    else {
      kept.add(num)
      accountForField(comparison, old, field, num)
    }
  }
  for (const [num, { dict }] of fieldsBefore) {
    if (!kept.has(num) && isShown(dict)) throw new ChangeNotPermittedError('a field was removed')
  }
}

function isShown({ entries }: PdfDict): boolean {
  const type = entries.get('Subtype')
  return type === undefined || isNull(type) || isName(type, 'Widget')
}
