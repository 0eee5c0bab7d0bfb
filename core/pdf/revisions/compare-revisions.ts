// Compares a document as it was signed with the document as it is now, object by object. Only the cross-reference sections after the
// signature can change something, so only what they list is compared.
import { isDeepStrictEqual } from 'node:util'
import { chargeParsed } from '../budget.ts'
import { walkFields } from '../read/form-fields.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { tooComplex } from '../pdf-error.ts'
import { countOf, isName, isNull, type PdfValue } from '../read/value.ts'
import type { Revision } from '../read/xref.ts'
import { accountForCatalog, accountForDocumentInfo } from './catalog-changes.ts'
import { ChangeNotPermittedError, type Comparison, isNew, type SealRules } from './comparison.ts'
import { accountForForm } from './form-changes.ts'
import { accountForPages } from './page-changes.ts'
import { type Permissions, permissionsOf } from './permissions.ts'
import { type References, referencesIn } from './references.ts'
import { isSameValue } from './same-value.ts'
import type { SignedPart } from './signed-revision.ts'

export type LaterChanges =
  | { readonly kind: 'NONE' | 'PERMITTED' }
  /** `reason` is a clause: "the content of a page was changed". */
  | { readonly kind: 'NOT_PERMITTED'; readonly reason: string }

/** Bytes to look up and compare one listed object, for the budget. */
const BYTES_PER_ENTRY = 64
const SPACE = /^[\0\t\n\f\r ]*$/

export interface CompareOptions {
  /** Must have every object that listedAfter gives. */
  readonly references: References
  /** For a seal: rules beyond what the signature says itself. */
  readonly seal?: SealRules | undefined
}

/** What came after a signature. */
export function compareRevisions(file: PdfFile, signed: SignedPart, options: CompareOptions): LaterChanges {
  if (signed.end === file.source.length) return { kind: 'NONE' }
  try {
    checkChanges(file, signed, options)
    return { kind: 'PERMITTED' }
  } catch (error) {
    if (error instanceof ChangeNotPermittedError) return { kind: 'NOT_PERMITTED', reason: error.message }
    throw error
  }
}

/** The numbers of the objects that are listed after this revision; undefined when the document does not continue it. */
export function listedAfter(file: PdfFile, earlier: PdfFile): Set<number> | undefined {
  const later = sectionsAfter(file, earlier)
  if (later === undefined) return undefined
  const numbers = new Set<number>()
  for (const { first, count } of later.flatMap(({ main }) => main.subsections)) {
    chargeParsed(file.budget, count * BYTES_PER_ENTRY)
    for (let num = first; num < first + count; num++) numbers.add(num)
    if (numbers.size > file.budget.limits.xrefEntries) throw tooComplex('its cross-reference table is too long')
  }
  return numbers
}

/** A hybrid section after the signature would show old readers another document. */
function sectionsAfter(file: PdfFile, earlier: PdfFile): readonly Revision[] | undefined {
  const { revisions } = file.xref
  const later = revisions.slice(0, Math.max(0, revisions.length - earlier.xref.revisions.length))
  const continues =
    later.length === 0
      ? file.startxref === earlier.startxref
      : countOf(later.at(-1)?.main.trailer.entries.get('Prev')) === earlier.startxref
  const isPlain = later.every(({ hidden }) => hidden === undefined)
  return continues && isPlain && file.base === earlier.base ? later : undefined
}

function checkChanges(after: PdfFile, { end, revision: before, field }: SignedPart, { references, seal }: CompareOptions): void {
  const listed = listedAfter(after, before)
  if (listed === undefined) throw new ChangeNotPermittedError('the file does not continue the signed document')
  if (sectionsAfter(after, before)?.length === 0) return checkOnlySpace(after, end)
  const changed = new Set([...listed].filter((num) => isChanged(before, after, num)))
  const fieldsBefore = new Map([...walkFields(before)].flatMap((each) => (each.ref === undefined ? [] : [[each.ref.num, each]])))
  const permissions = permissionsOf(before, field)
  const comparison: Comparison = {
    before,
    after,
    changed,
    references,
    permissions: seal === undefined ? permissions : closed(permissions),
    accounted: new Set(),
    newWidgets: new Set(),
    fieldsBefore,
    seal,
  }
  accountForDocumentInfo(comparison)
  accountForCatalog(comparison)
  accountForForm(comparison)
  accountForPages(comparison)
  checkAccounted(comparison)
}

/** Empty signature fields wait for those who sign later. */
function closed(permissions: Permissions): Permissions {
  return { ...permissions, isLocked: (field) => !field.isSignature || permissions.isLocked(field) }
}

function checkOnlySpace({ source }: PdfFile, end: number): void {
  if (!SPACE.test(source.read(end, source.length).toString('latin1')))
    throw new ChangeNotPermittedError('bytes were added to the file')
}

function isChanged(before: PdfFile, after: PdfFile, num: number): boolean {
  // Equal offsets are the same bytes, because the one file begins with the other.
  if (isDeepStrictEqual(before.xref.find(num), after.xref.find(num))) return false
  const value = before.get(num)
  // The entries of its members do not show that they have changed.
  if (isObjectStream(value)) throw new ChangeNotPermittedError('an object stream was replaced')
  return !isSameValue(before, value, after, after.get(num))
}

function isObjectStream(value: PdfValue): boolean {
  return value.kind === 'stream' && isName(value.dict.entries.get('Type'), 'ObjStm')
}

/** An object that nothing refers to shows nothing. */
function checkAccounted(comparison: Comparison): void {
  const { before, after, changed, accounted, references } = comparison
  for (const num of changed) {
    const referrers = references.get(num) ?? []
    if (referrers.length === 0) continue
    if (!accounted.has(num)) throw new ChangeNotPermittedError(describe(after.get(num), before.get(num)))
    if (isNew(comparison, num)) checkNotAwaited(comparison, num)
  }
}

/** A reference to a missing object is null; a later object with that number would change what refers to it. */
function checkNotAwaited({ before, changed, references }: Comparison, num: number): void {
  const isAwaited = (references.get(num) ?? []).some(({ from }) => {
    if (from === 0) return false
    if (!changed.has(from)) return true
    return [...referencesIn(before.get(from))].includes(num)
  })
  if (isAwaited) throw new ChangeNotPermittedError('an object that was missing was added')
}

function describe(after: PdfValue, before: PdfValue): string {
  if (isNull(after)) return 'an object was removed'
  if (isNull(before)) return 'an object was added'
  return before.kind === 'stream' ? 'a part of its content was changed' : 'an object was changed'
}
