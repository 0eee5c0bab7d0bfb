// What a signature permits after it: its DocMDP level and the fields that it locks (ISO 32000-2, 12.8.2.2 and 12.8.2.4). Without a level,
// forms may be filled and signed, as validators read a plain signature.
import { type FormField, fullNameOf } from '../read/form-fields.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { textOf } from '../read/text-string.ts'
import { isName, type PdfDict, type PdfValue } from '../read/value.ts'

export interface Permissions {
  /** 1: time stamps and validation data only; 2: fields filled and signed too; 3: annotations too. */
  readonly level: 1 | 2 | 3
  /** Whether the field must stay as it is. */
  isLocked(field: FormField): boolean
}

type Lock = (name: string) => boolean

/** `file` is the document as it was signed. */
export function permissionsOf(file: PdfFile, { dict, signature }: Pick<FormField, 'dict' | 'signature'>): Permissions {
  const certifications = parametersOf(file, signature, 'DocMDP')
  const fieldLock = dictOf(file, dict.entries.get('Lock'))
  const written = [...certifications, ...(fieldLock?.entries.has('P') ? [fieldLock] : [])].map((each) => levelOf(file, each))
  const locks = [...parametersOf(file, signature, 'FieldMDP'), fieldLock].flatMap((each) => lockOf(file, each))
  return {
    level: written.length === 0 ? 2 : strictest(written),
    isLocked: (other) => isLockedBy(locks, other),
  }
}

/** Putting a name together takes time, which a file without locks does not need. */
function isLockedBy(locks: readonly Lock[], field: FormField): boolean {
  if (locks.length === 0) return false
  const name = fullNameOf(field)
  return locks.some((lock) => lock(name))
}

/** The parameters of each reference with this transform method. */
function parametersOf(file: PdfFile, signature: PdfDict | undefined, method: string): (PdfDict | undefined)[] {
  const references = file.resolve(signature?.entries.get('Reference'))
  const items = references.kind === 'array' ? references.items : []
  return items
    .map((item) => dictOf(file, item))
    .filter((reference) => isName(file.resolve(reference?.entries.get('TransformMethod')), method))
    .map((reference) => dictOf(file, reference?.entries.get('TransformParams')))
}

/** An unknown level permits nothing. */
function levelOf(file: PdfFile, parameters: PdfDict | undefined): 1 | 2 | 3 {
  const level = parameters?.entries.get('P')
  if (level === undefined) return 2
  const value = file.resolve(level)
  return value.kind === 'number' && (value.value === 2 || value.value === 3) ? value.value : 1
}

function strictest(levels: readonly (1 | 2 | 3)[]): 1 | 2 | 3 {
  return levels.includes(1) ? 1 : levels.includes(2) ? 2 : 3
}

/** Anything but the three actions locks every field. */
function lockOf(file: PdfFile, parameters: PdfDict | undefined): Lock[] {
  if (parameters === undefined) return []
  const action = file.resolve(parameters.entries.get('Action'))
  const names = namesIn(file, parameters.entries.get('Fields'))
  const isNamed: Lock = (name) => names.some((listed) => name === listed || name.startsWith(`${listed}.`))
  if (isName(action, 'Include')) return [isNamed]
  return [isName(action, 'Exclude') ? (name) => !isNamed(name) : () => true]
}

function namesIn(file: PdfFile, value: PdfValue | undefined): string[] {
  const list = file.resolve(value)
  const items = list.kind === 'array' ? list.items.map((item) => file.resolve(item)) : []
  return items.flatMap((item) => (item.kind === 'string' ? [textOf(item)] : []))
}

function dictOf(file: PdfFile, value: PdfValue | undefined): PdfDict | undefined {
  const resolved = file.resolve(value)
  return resolved.kind === 'dict' ? resolved : undefined
}
