// Permitted changes of one field: it is a new signature field, it was signed, or it was filled.
import { type FormField } from '../read/form-fields.ts'
import { isName, isNull, NULL, type PdfDict, type PdfValue } from '../read/value.ts'
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
import { checkNewFieldDraws, checkSignedFieldDraws } from './drawn-signature.ts'
import { type Referrer, referencesIn } from './references.ts'
import { differingKeys, isSameItem } from './same-value.ts'

/** No actions: a new field must not do anything but show a signature. */
const NEW_FIELD_KEYS =
  'Type Subtype FT T TU TM Ff V Kids Parent Lock SV DA Q DR F Rect P AP AS MK BS Border C H M NM StructParent'.split(' ')
const SIGNING_KEYS = ['V', 'AP', 'AS', 'F', 'M', 'MK', 'Kids']
const FILLING_KEYS = ['V', 'AP', 'AS', 'I', 'RV', 'M', 'Kids']
/** The entries of a field that lead to what it shows. */
const SHOWN_KEYS = ['V', 'AP', 'RV']

/** A field that the form did not have. */
export function accountForNewField(comparison: Comparison, field: FormField, num: number): void {
  const { dict } = field
  if (!field.isSignature) throw new ChangeNotPermittedError('a form field was added')
  if (!isNew(comparison, num)) throw new ChangeNotPermittedError('an object was made a signature field')
  if (dict.ambiguous || ![...dict.entries.keys()].every((key) => NEW_FIELD_KEYS.includes(key))) {
    throw new ChangeNotPermittedError('a signature field with more than a signature was added')
  }
  const subtype = dict.entries.get('Subtype')
  if (subtype !== undefined && !isName(subtype, 'Widget')) throw new ChangeNotPermittedError('an annotation was added')
  checkSigned(comparison, dict)
  checkNewFieldDraws(comparison, dict, num)
  comparison.newWidgets.add(num)
  comparison.accounted.add(num)
  for (const [key, value] of dict.entries) if (key !== 'Parent' && key !== 'P') accountForNew(comparison, value)
}

/** An unsigned field may wait for a signature, but nothing vouches for what it shows. */
function checkSigned({ after, permissions }: Comparison, dict: PdfDict): void {
  const signature = dictIn(after, dict.entries.get('V') ?? dictIn(after, dict.entries.get('Parent'))?.entries.get('V'))
  if (signature === undefined && !isNull(after.resolve(dict.entries.get('AP')))) {
    throw new ChangeNotPermittedError('an unsigned field that shows something was added')
  }
  checkLevel(permissions.level, signature)
}

function checkLevel(level: number, signature: PdfDict | undefined): void {
  const isTimeStamp = signature !== undefined && isName(signature.entries.get('Type'), 'DocTimeStamp')
  if (level === 1 && !isTimeStamp) throw new ChangeNotPermittedError('it was signed although that is not permitted')
}

/** A field that the form had. */
export function accountForField(comparison: Comparison, old: FormField, field: FormField, num: number): void {
  const differing = comparison.changed.has(num) ? differingKeys(old.dict, field.dict) : []
  const signs = isSigned(old, field)
  if (differing.length > 0 || signs) checkDifference(comparison, old, field, num, differing)
  if (differing.includes('Kids') || isListChanged(comparison, field.dict)) checkKids(comparison, old, field, num)
  comparison.accounted.add(num)
  if (signs || isFillable(comparison, old)) accountForShown(comparison, old, field, num)
}

function checkDifference(
  comparison: Comparison,
  old: FormField,
  field: FormField,
  num: number,
  differing: readonly string[],
): void {
  if (differing.every((key) => key === 'Kids') && !isSigned(old, field)) return
  if (comparison.permissions.isLocked(old)) throw new ChangeNotPermittedError('a locked field was changed')
  const permitted = old.isSignature ? checkSigning(comparison, old, field, { num, differing }) : checkFilling(comparison)
  if (!differing.every((key) => permitted.includes(key))) throw new ChangeNotPermittedError('a field was changed')
}

/** Returns the keys that signing may change. */
function checkSigning(
  comparison: Comparison,
  old: FormField,
  field: FormField,
  { num, differing }: { num: number; differing: readonly string[] },
): readonly string[] {
  if (!isSigned(old, field)) throw new ChangeNotPermittedError('a signature field was changed')
  checkLevel(comparison.permissions.level, field.signature)
  checkSignedFieldDraws(comparison, field.dict, num, differing)
  return SIGNING_KEYS
}

/** Returns the keys that filling may change. */
function checkFilling({ permissions }: Comparison): readonly string[] {
  if (permissions.level < 2) throw new ChangeNotPermittedError('a field was filled')
  return FILLING_KEYS
}

/** Whether what the field shows may change without a signature in it. */
function isFillable({ permissions }: Comparison, old: FormField): boolean {
  return !old.isSignature && permissions.level >= 2 && !permissions.isLocked(old)
}

function isSigned(old: FormField, field: FormField): boolean {
  return old.isSignature && old.signature === undefined && field.signature !== undefined
}

/** New objects, and those of the old appearance that nothing else uses. */
function accountForShown(comparison: Comparison, old: FormField, field: FormField, own: number): void {
  for (const key of SHOWN_KEYS) {
    const value = field.dict.entries.get(key)
    if (value === undefined) continue
    if (!isSameItem(value, old.dict.entries.get(key))) accountForNew(comparison, value)
    for (const { num } of referencesIn(value)) {
      if (!comparison.changed.has(num) || isNew(comparison, num)) continue
      const isOwn = ({ from, key: entry }: Referrer) =>
        SHOWN_KEYS.includes(entry) && (from === own || isFillableAt(comparison, from))
      account(comparison, num, isOwn, 'the appearance of a field is used for something else')
      accountForNew(comparison, comparison.after.get(num))
    }
  }
}

function isFillableAt(comparison: Comparison, num: number): boolean {
  const field = comparison.fieldsBefore.get(num)
  return field !== undefined && isFillable(comparison, field)
}

function isListChanged({ changed }: Comparison, { entries }: PdfDict): boolean {
  const num = numberOf(entries.get('Kids'))
  return num !== undefined && changed.has(num)
}

/** New signature fields may be appended below a field. */
function checkKids(comparison: Comparison, old: FormField, field: FormField, num: number): void {
  const { before, after } = comparison
  const [items, now] = [old.dict, field.dict].map((dict, index) =>
    itemsIn(index === 0 ? before : after, dict.entries.get('Kids')),
  )
  if (!(items ?? []).every((item: PdfValue, index) => isSameItem(item, now?.[index] ?? NULL))) {
    throw new ChangeNotPermittedError('a field was removed')
  }
  const list = numberOf(field.dict.entries.get('Kids'))
  const otherwise = 'a list of fields is used for something else'
  if (list !== undefined) account(comparison, list, ({ from, key }) => from === num && key === 'Kids', otherwise)
}
