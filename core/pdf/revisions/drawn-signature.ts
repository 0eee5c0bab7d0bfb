// A seal says that the document is unchanged since it was sealed, so what others sign later may draw nothing: neither over what the signers
// saw nor beside it. Whether a field draws is judged by its rectangle, its flags and its appearance (ISO 32000-2, 12.5.5 and 12.7.5.5).
import { boxEntry } from '../inspect/number-entries.ts'
import { countOf, isNull, type PdfDict } from '../read/value.ts'
import { ChangeNotPermittedError, type Comparison } from './comparison.ts'
import { paintsNothing } from './painting.ts'
import { referencesIn } from './references.ts'

/** ISO 32000-2, table 167. */
const HIDDEN = 2
const MAX_FLAGS = 0x7fff_ffff
/** The entries that decide what a field shows. */
const LOOK = ['AP', 'AS', 'F', 'MK', 'Rect']

/** A new field, or a widget of one. Throws ChangeNotPermittedError. */
export function checkNewFieldDraws(comparison: Comparison, dict: PdfDict, num: number): void {
  if (isFree(comparison, num) || isInvisible(comparison, dict)) return
  throw drawn()
}

/** A field that the signers saw empty, and that was signed later; `differing` are the entries that the signing changed. */
export function checkSignedFieldDraws(comparison: Comparison, dict: PdfDict, num: number, differing: readonly string[]): void {
  if (isFree(comparison, num) || isInvisible(comparison, dict)) return
  const appearance = dict.entries.get('AP')
  const overwritten = appearance !== undefined && [...referencesIn(appearance)].some((each) => comparison.changed.has(each.num))
  if (overwritten || differing.some((key) => LOOK.includes(key))) throw drawn()
}

/** The rule is about what follows a seal, except further seals of the same sealer. */
function isFree({ seal }: Comparison, num: number): boolean {
  return seal === undefined || seal.furtherSeals.has(num)
}

function isInvisible(comparison: Comparison, dict: PdfDict): boolean {
  if (!dict.entries.has('Rect') || isHidden(comparison, dict)) return true
  const box = boxEntry(comparison.after, dict, 'Rect')
  const isEmpty = box !== undefined && (box[0] === box[2] || box[1] === box[3])
  // Some readers draw at the place of an empty rectangle, and text tools read what is drawn there.
  return isEmpty && paintsNothing(comparison.after, dict.entries.get('AP'))
}

/** Flags that cannot be read, or that viewers may cut off, hide nothing. */
function isHidden({ after }: Comparison, { entries }: PdfDict): boolean {
  const value = after.resolve(entries.get('F'))
  const flags = isNull(value) ? 0 : countOf(value)
  return flags !== undefined && flags <= MAX_FLAGS && (flags & HIDDEN) !== 0
}

function drawn(): ChangeNotPermittedError {
  return new ChangeNotPermittedError('a signature that shows something was added')
}
