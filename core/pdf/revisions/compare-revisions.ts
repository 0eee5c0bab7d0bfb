// Compares a document as it was signed with the document as it is now. Every byte after the signature must be explained, and every object
// there is the same as before or accounted for by a rule.
import { isDeepStrictEqual } from 'node:util'
import { chargeParsed } from '../budget.ts'
import { walkFields } from '../read/form-fields.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { PdfError } from '../pdf-error.ts'
import { countOf, isName, isNull, type PdfRef, type PdfValue } from '../read/value.ts'
import type { Revision } from '../read/xref.ts'
import { checkAppendedBytes } from './appended-bytes.ts'
import { accountForCatalog, accountForDocumentInfo } from './catalog-changes.ts'
import { ChangeNotPermittedError, type Comparison, isNew, isObjectStream, type SealRules } from './comparison.ts'
import { accountForForm } from './form-changes.ts'
import { generationOf, numbersIn } from './listings.ts'
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
    if (error instanceof PdfError && error.code === 'DOCUMENT_INVALID') {
      return { kind: 'NOT_PERMITTED', reason: `what was added is damaged: ${error.reason}` }
    }
    throw error
  }
}

/** The numbers of the objects that are listed after this revision; undefined when the document does not continue it. */
export function listedAfter(file: PdfFile, earlier: PdfFile): Set<number> | undefined {
  const later = revisionsAfter(file, earlier)
  return later && new Set(later.flatMap((revision) => listedIn(file, revision)))
}

function listedIn({ budget }: PdfFile, revision: Revision): number[] {
  for (const { count } of revision.main.subsections) chargeParsed(budget, count * BYTES_PER_ENTRY)
  return [...numbersIn(revision)]
}

/** A hybrid section after the signature would show old readers another document. */
function revisionsAfter(file: PdfFile, earlier: PdfFile): readonly Revision[] | undefined {
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
  const later = revisionsAfter(after, before)
  if (later === undefined) throw new ChangeNotPermittedError('the file does not continue the signed document')
  checkAppendedBytes(after, end, later)
  const listed = new Set(later.flatMap((revision) => listedIn(after, revision)))
  const permissions = permissionsOf(before, field)
  const comparison: Comparison = {
    before,
    after,
    changed: new Set([...listed].filter((num) => isChanged(before, after, num))),
    references,
    permissions: seal === undefined ? permissions : closed(permissions),
    accounted: new Set(),
    newWidgets: new Set(),
    fieldsBefore: new Map([...walkFields(before)].flatMap((each) => (each.ref === undefined ? [] : [[each.ref.num, each]]))),
    seal,
  }
  accountForDocumentInfo(comparison)
  accountForCatalog(comparison)
  accountForForm(comparison)
  accountForPages(comparison)
  checkAccounted(comparison)
  checkReferences(comparison)
}

/** Empty signature fields wait for those who sign later. */
function closed(permissions: Permissions): Permissions {
  return { ...permissions, isLocked: (field) => !field.isSignature || permissions.isLocked(field) }
}

function isChanged(before: PdfFile, after: PdfFile, num: number): boolean {
  // Equal offsets are the same bytes, because the one file begins with the other.
  if (isDeepStrictEqual(before.xref.find(num), after.xref.find(num))) return false
  const value = before.get(num)
  // The entries of its members do not show that they have changed.
  if (isObjectStream(value)) throw new ChangeNotPermittedError('an object stream was replaced')
  return !isSameValue(before, value, after, after.get(num))
}

function checkAccounted(comparison: Comparison): void {
  const { before, after, changed, accounted } = comparison
  const used = usedIn(comparison)
  for (const num of changed) {
    const [was, is] = [before.get(num), after.get(num)]
    if (!used.has(num) && (isNull(was) || (isXrefStream(was) && isXrefStream(is)))) continue
    if (!accounted.has(num)) throw new ChangeNotPermittedError(describe(num, is, was))
    if (isNew(comparison, num)) checkNotAwaited(comparison, num)
  }
}

/** The changed objects that something refers to. A new object that only unused new objects refer to shows nothing. */
function usedIn(comparison: Comparison): Set<number> {
  const { after, changed, references } = comparison
  const isLoose = (num: number): boolean => changed.has(num) && isNew(comparison, num)
  const waiting = [...changed].filter((num) => (references.get(num) ?? []).some(({ from }) => from === 0 || !isLoose(from)))
  const used = new Set<number>()
  for (let num = waiting.pop(); num !== undefined; num = waiting.pop()) {
    if (used.has(num)) continue
    used.add(num)
    for (const reference of referencesIn(after.get(num))) if (isLoose(reference.num)) waiting.push(reference.num)
  }
  return used
}

/** A reference to a missing object is null; a later object with that number would change what refers to it. */
function checkNotAwaited({ before, changed, references }: Comparison, num: number): void {
  const isAwaited = (references.get(num) ?? []).some(({ from }) => {
    if (from === 0) return false
    if (!changed.has(from)) return true
    return [...referencesIn(before.get(from))].some((reference) => reference.num === num)
  })
  if (isAwaited) throw new ChangeNotPermittedError(`object ${num}, which was missing, was added`)
}

/** A new reference that leads nowhere makes some readers rebuild the table, and so show what no table lists. */
function checkReferences({ before, after, changed }: Comparison): void {
  const check = (value: PdfValue, was: PdfValue): void => {
    let known: PdfRef[] | undefined
    for (const reference of referencesIn(value)) {
      const entry = after.xref.find(reference.num)
      if (entry !== undefined && generationOf(entry) === reference.gen) continue
      known ??= [...referencesIn(was)]
      if (known.some(({ num, gen }) => num === reference.num && gen === reference.gen)) continue
      throw new ChangeNotPermittedError(`a reference to the missing object ${reference.num} was added`)
    }
  }
  check(after.trailer, before.trailer)
  for (const num of changed) check(after.get(num), before.get(num))
}

function describe(num: number, after: PdfValue, before: PdfValue): string {
  if (isNull(after)) return `object ${num} was removed`
  if (isNull(before)) return `object ${num} was added`
  return before.kind === 'stream' ? `a part of its content (object ${num}) was changed` : `object ${num} was changed`
}

function isXrefStream(value: PdfValue): boolean {
  return value.kind === 'stream' && isName(value.dict.entries.get('Type'), 'XRef')
}
