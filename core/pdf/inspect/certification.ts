// What earlier signatures permit: a certification (DocMDP) and, since PDF 2.0, the lock of a signature field may forbid every
// change, and a seal is one. ISO 32000-2, 12.8.2.2 and table 235.
import { walkFields } from '../form-fields.ts'
import { PdfFault } from '../pdf-fault.ts'
import type { PdfFile } from '../pdf-file.ts'
import { isName, type PdfDict, type PdfValue } from '../value.ts'

const NO_CHANGES = 1
const FORM_FILLING = 2
const ANNOTATIONS = 3

/**
 * The strictest permission level of the signatures that the document carries, null without one. Throws DOCUMENT_CHANGES_LOCKED
 * for level 1, under which no seal can be added without breaking the signature.
 */
export function readCertification(file: PdfFile): 2 | 3 | null {
  const levels = [...permissionLevels(file)]
  if (levels.includes(NO_CHANGES)) {
    throw new PdfFault('DOCUMENT_CHANGES_LOCKED', 'The document is certified against any change and cannot take a seal.')
  }
  if (levels.length === 0) return null
  return levels.includes(FORM_FILLING) ? FORM_FILLING : ANNOTATIONS
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

/** The levels among the references of a signature dictionary; without /P the level is 2. */
function* levelsOf(file: PdfFile, signature: PdfDict): Generator<number> {
  const references = file.resolve(signature.entries.get('Reference'))
  for (const item of references.kind === 'array' ? references.items : []) {
    const reference = dictOf(file, item)
    if (!isName(file.resolve(reference?.entries.get('TransformMethod')), 'DocMDP')) continue
    const level = file.resolve(dictOf(file, reference?.entries.get('TransformParams'))?.entries.get('P'))
    yield level.kind === 'number' ? level.value : FORM_FILLING
  }
}

function dictOf(file: PdfFile, value: PdfValue | undefined): PdfDict | undefined {
  const resolved = file.resolve(value)
  return resolved.kind === 'dict' ? resolved : undefined
}
