// What the rules about later changes share: the document as it was signed, the document as it is, and the objects that differ. A rule
// accounts for an object that it permits to differ; whatever no rule accounts for is not permitted.
import type { FormField } from '../read/form-fields.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, isNull, type PdfDict, type PdfValue } from '../read/value.ts'
import type { Permissions } from './permissions.ts'
import { type Referrer, type References, referencesIn } from './references.ts'

export interface Comparison {
  readonly before: PdfFile
  readonly after: PdfFile
  /** The numbers of the objects that are new or differ. */
  readonly changed: ReadonlySet<number>
  readonly references: References
  readonly permissions: Permissions
  readonly accounted: Set<number>
  /** The widgets of new signature fields, which may appear on pages. */
  readonly newWidgets: Set<number>
  /** The fields by object number, as they were signed. */
  readonly fieldsBefore: ReadonlyMap<number, FormField>
  /** Present when the signature is a seal. */
  readonly seal: SealRules | undefined
}

/** A seal closes the document: every field must stay, and later signatures may not cover what its signers saw. */
export interface SealRules {
  /** The fields of further seals of the same sealer, by object number. */
  readonly furtherSeals: ReadonlySet<number>
}

/** Thrown by a rule; `message` is a clause ("the content of a page was changed"). */
export class ChangeNotPermittedError extends Error {
  override readonly name = 'ChangeNotPermittedError'
}

export function isNew({ before }: Comparison, num: number): boolean {
  return isNull(before.get(num))
}

/** Accounts for an object if only the permitted places refer to it. */
export function account(
  comparison: Comparison,
  num: number,
  isPermitted: (referrer: Referrer) => boolean,
  otherwise: string,
): void {
  if (!comparison.changed.has(num)) return
  if (!(comparison.references.get(num) ?? []).every(isPermitted)) throw new ChangeNotPermittedError(otherwise)
  comparison.accounted.add(num)
}

/**
 * Accounts for the new objects that a permitted value leads to. Objects that were already in the document are left to the other rules: a
 * permitted entry must not permit their change.
 */
export function accountForNew(comparison: Comparison, value: PdfValue | undefined): void {
  const waiting = value === undefined ? [] : [...referencesIn(value)]
  for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
    const { num } = reference
    if (!comparison.changed.has(num) || comparison.accounted.has(num) || !isNew(comparison, num)) continue
    comparison.accounted.add(num)
    waiting.push(...referencesIn(comparison.after.get(num)))
  }
}

export function dictIn(file: PdfFile, value: PdfValue | undefined): PdfDict | undefined {
  const resolved = file.resolve(value)
  return resolved.kind === 'dict' ? resolved : undefined
}

export function itemsIn(file: PdfFile, value: PdfValue | undefined): readonly PdfValue[] {
  const resolved = file.resolve(value)
  if (resolved.kind === 'array') return resolved.items
  return []
}

export function numberOf(value: PdfValue | undefined): number | undefined {
  return value?.kind === 'ref' ? value.num : undefined
}

export function isObjectStream(value: PdfValue): boolean {
  return value.kind === 'stream' && isName(value.dict.entries.get('Type'), 'ObjStm')
}
