// A seal says that the document is unchanged since it was sealed, so what others sign later may draw nothing: neither over what the signers
// saw nor beside it. Whether a field draws is judged by its rectangle, its flags and its appearance (ISO 32000-2, 12.5.5 and 12.7.5.5).
import { boxEntry } from '../inspect/number-entries.ts'
import { type PdfDict, rawOf } from '../read/value.ts'
import { ChangeNotPermittedError, type Comparison } from './comparison.ts'
import { paintsNothing } from './painting.ts'
import { referencesIn } from './references.ts'

/** ISO 32000-2, table 167. */
const HIDDEN = 2
const MAX_FLAGS = 0x7fff_ffff
const NOWHERE = [0, 0, 0, 0] as const
const DIGITS = /^[0-9]+$/
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
  // Readers draw a field without one in their own way, an empty one in another way than a signed one.
  if (appearance === undefined) throw drawn()
  const overwritten = [...referencesIn(appearance)].some((each) => comparison.changed.has(each.num))
  if (overwritten || differing.some((key) => LOOK.includes(key))) throw drawn()
}

/** The rule is about what follows a seal, except further seals of the same sealer. */
function isFree({ seal }: Comparison, num: number): boolean {
  return seal === undefined || seal.furtherSeals.has(num)
}

function isInvisible(comparison: Comparison, dict: PdfDict): boolean {
  if (isHidden(comparison, dict)) return true
  const box = dict.entries.has('Rect') ? boxEntry(comparison.after, dict, 'Rect') : NOWHERE
  const isEmpty = box !== undefined && (box[0] === box[2] || box[1] === box[3])
  // Some readers draw at the place of an empty or missing rectangle, and text tools read what is drawn there.
  return isEmpty && paintsNothing(comparison.after, dict.entries.get('AP'))
}

/** Flags that some readers do not take for an integer (`2.0`), or cut off, hide nothing. */
function isHidden({ after }: Comparison, { entries }: PdfDict): boolean {
  const value = after.resolve(entries.get('F'))
  if (value.kind !== 'number' || !DIGITS.test(rawOf(value).toString('latin1'))) return false
  return value.value <= MAX_FLAGS && (value.value & HIDDEN) !== 0
}

function drawn(): ChangeNotPermittedError {
  return new ChangeNotPermittedError('a signature that shows something was added')
}
