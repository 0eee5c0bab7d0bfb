// The changes that earlier signatures permit: a certification (DocMDP) and, since PDF 2.0, the lock of a signature field can forbid every
// change, including a seal. ISO 32000-2, 12.8.2.2 and table 235.
import { FORM_FILLING_ONLY } from '../placement/place-seals.ts'
import { walkFields } from '../read/form-fields.ts'
import { PdfError } from '../pdf-error.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { isName, type PdfDict, type PdfValue } from '../read/value.ts'

const NO_CHANGES = 1
const ANNOTATIONS = 3

/**
 * The strictest permission level of the document's signatures; null without one. Throws DOCUMENT_CHANGES_LOCKED for level 1 and for field
 * locks that a new signature field would break.
 */
export function readCertification(file: PdfFile): 2 | 3 | null {
  refuseFieldLock(file)
  const levels = [...permissionLevels(file)]
  if (levels.includes(NO_CHANGES)) {
    throw new PdfError('DOCUMENT_CHANGES_LOCKED', 'The document is certified against changes and cannot be sealed.')
  }
  if (levels.length === 0) return null
  return levels.includes(FORM_FILLING_ONLY) ? FORM_FILLING_ONLY : ANNOTATIONS
}

function* permissionLevels(file: PdfFile): Generator<number> {
  const permissions = dictOf(file, file.catalog().entries.get('Perms'))
  const certification = dictOf(file, permissions?.entries.get('DocMDP'))
  if (certification !== undefined) yield* levelsOf(file, certification)
  for (const { dict, signature } of walkFields(file)) {
    if (signature === undefined) continue
    yield* levelsOf(file, signature)
    const lock = file.resolve(dictOf(file, dict.entries.get('Lock'))?.entries.get('P'))
    if (lock.kind === 'number') yield lock.value
  }
}

/** The levels in the references of a signature dictionary; without /P the level is 2. */
function* levelsOf(file: PdfFile, signature: PdfDict): Generator<number> {
  for (const parameters of parametersOf(file, signature, 'DocMDP')) {
    const level = file.resolve(parameters?.entries.get('P'))
    yield level.kind === 'number' ? level.value : FORM_FILLING_ONLY
  }
}

/** ISO 32000-2, 12.8.2.4: `All` also locks the seal's field, and so does `Exclude`, which cannot list its name. */
function refuseFieldLock(file: PdfFile): void {
  for (const { signature } of walkFields(file)) {
    for (const parameters of signature ? parametersOf(file, signature, 'FieldMDP') : []) {
      const action = file.resolve(parameters?.entries.get('Action'))
      if (isName(action, 'Include')) continue
      throw new PdfError(
        'DOCUMENT_CHANGES_LOCKED',
        'The document has a signature that locks all of its fields, and cannot take a seal.',
      )
    }
  }
}

/** The parameters of each reference with this transform method. */
function* parametersOf(file: PdfFile, signature: PdfDict, method: string): Generator<PdfDict | undefined> {
  const references = file.resolve(signature.entries.get('Reference'))
  for (const item of references.kind === 'array' ? references.items : []) {
    const reference = dictOf(file, item)
    if (!isName(file.resolve(reference?.entries.get('TransformMethod')), method)) continue
    yield dictOf(file, reference?.entries.get('TransformParams'))
  }
}

function dictOf(file: PdfFile, value: PdfValue | undefined): PdfDict | undefined {
  const resolved = file.resolve(value)
  return resolved.kind === 'dict' ? resolved : undefined
}
