// Permitted changes of the catalog: the form, validation data (DSS), declared extensions, and metadata. ISO 32000-2, 7.7.2 and 12.8.4.3.
import { tooComplex } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { isNull, type PdfDict, type PdfValue } from '../read/value.ts'
import { account, accountForNew, ChangeNotPermittedError, type Comparison, dictIn, isNew, numberOf } from './comparison.ts'
import { differingKeys, isSameItem } from './same-value.ts'

/** The form has rules of its own. */
const CATALOG_KEYS = ['AcroForm', 'DSS', 'Extensions', 'Metadata', 'Version']
/** What programs note about themselves and the time of saving; title and author are statements about the document. */
const INFO_KEYS = ['ModDate', 'Producer']
const LEAF_LISTS = ['Certs', 'OCSPs', 'CRLs', 'Cert', 'OCSP', 'CRL']
const TRAILER = 0

/** The number of the catalog. Throws ChangeNotPermittedError when it is another object than before. */
export function rootOf({ before, after }: Pick<Comparison, 'before' | 'after'>): number {
  const root = after.trailer.entries.get('Root')
  const num = numberOf(root)
  if (num === undefined || !isSameItem(root, before.trailer.entries.get('Root'))) {
    throw new ChangeNotPermittedError('its catalog was replaced')
  }
  return num
}

export function accountForCatalog(comparison: Comparison): void {
  const { before, after } = comparison
  const root = rootOf(comparison)
  const differing = differingKeys(before.catalog(), after.catalog())
  if (!differing.every((key) => CATALOG_KEYS.includes(key))) {
    throw new ChangeNotPermittedError('settings of the document were changed')
  }
  account(comparison, root, () => true, '')
  accountForOwn(comparison, root, 'Extensions')
  accountForOwn(comparison, root, 'Metadata')
  accountForValidationData(comparison, root)
}

/** The document information, which the trailer refers to. */
export function accountForDocumentInfo(comparison: Comparison): void {
  const { before, after } = comparison
  const [old, info] = [before, after].map((file) => dictIn(file, file.trailer.entries.get('Info')))
  const isPermitted = differingKeys(old, info).every((key) => INFO_KEYS.includes(key))
  const num = numberOf(after.trailer.entries.get('Info'))
  if (!isPermitted) throw new ChangeNotPermittedError('its title or author was changed')
  const isFromTrailer = ({ from, key }: { from: number; key: string }) => from === TRAILER && key === 'Info'
  if (num !== undefined) account(comparison, num, isFromTrailer, 'its title or author was changed')
}

function accountForOwn(comparison: Comparison, root: number, key: string): void {
  const value = comparison.after.catalog().entries.get(key)
  const num = numberOf(value)
  accountForNew(comparison, value)
  if (num === undefined || isNew(comparison, num)) return
  account(comparison, num, (referrer) => referrer.from === root && referrer.key === key, 'an object was changed')
}

/** What the validation data reached before counts too: renewing it may leave that behind, or write it again. */
function accountForValidationData(comparison: Comparison, root: number): void {
  const { before, after } = comparison
  const own = new Set([...validationData(before), ...validationData(after)])
  for (const num of own) {
    account(
      comparison,
      num,
      ({ from, key }) => own.has(from) || (from === root && key === 'DSS'),
      'an object was changed as validation data',
    )
  }
}

/** Only the structure of validation data counts: otherwise it could include any object and so permit its change. */
function validationData(file: PdfFile): Set<number> {
  const own = new Set<number>()
  const value = file.catalog().entries.get('DSS')
  const data = open(file, own, value)
  if (data === undefined) {
    if (value !== undefined && !isNull(file.resolve(value))) throw new ChangeNotPermittedError('its validation data is damaged')
    return own
  }
  collectLists(file, own, data)
  const entries = open(file, own, data.entries.get('VRI'))
  for (const each of entries?.entries.values() ?? []) {
    const entry = open(file, own, each)
    if (entry !== undefined) collectLists(file, own, entry)
    if (own.size > file.budget.limits.objects) throw tooComplex('it has too much validation data')
  }
  return own
}

function open(file: PdfFile, own: Set<number>, value: PdfValue | undefined): PdfDict | undefined {
  const dict = dictIn(file, value)
  const num = numberOf(value)
  if (dict !== undefined && num !== undefined) own.add(num)
  return dict
}

function collectLists(file: PdfFile, own: Set<number>, { entries }: PdfDict): void {
  for (const key of LEAF_LISTS) {
    const value = entries.get(key)
    const list = file.resolve(value)
    if (list.kind !== 'array') continue
    const num = numberOf(value)
    if (num !== undefined) own.add(num)
    for (const item of list.items) addStream(file, own, item)
  }
  addStream(file, own, entries.get('TS'))
}

function addStream(file: PdfFile, own: Set<number>, value: PdfValue | undefined): void {
  const num = numberOf(value)
  if (num !== undefined && file.get(num).kind === 'stream') own.add(num)
}
