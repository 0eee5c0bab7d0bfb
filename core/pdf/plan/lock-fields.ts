// Locks the form (ISO 32000-2, 12.7.5.5 and 12.8.2.4): the seal's lock names every field except signature fields, and the increment sets
// the read-only flag and drops format scripts. In a signed document it only names them: earlier signatures permit no other change.
import type { FormField } from '../read/form-fields.ts'
import type { PdfFile } from '../read/pdf-file.ts'
import { tooComplex } from '../pdf-error.ts'
import { bytesOf, formatText, rawDict } from '../read/syntax.ts'
import type { PdfRef } from '../read/value.ts'
import { droppedScripts } from './format-scripts.ts'

export interface Update {
  readonly ref: PdfRef
  readonly body: Buffer
}

export interface FieldLocks {
  /** The full names of the locked fields as items of an array; empty without a field. */
  readonly names: Buffer
  readonly updates: readonly Update[]
  /** Fields that could be filled before the seal. */
  readonly fillable: number
  /** Fields and widgets whose format scripts are dropped. */
  readonly scriptsDropped: number
}

const READ_ONLY = 1
const FILLABLE_TYPES: ReadonlySet<string | undefined> = new Set(['Tx', 'Btn', 'Ch'])
const MAX_NAME_LEVELS = 64

/** Plans the locks of all fields of the form. Throws DOCUMENT_TOO_COMPLEX for fields that are nested too deep. */
export function lockFields(file: PdfFile, fields: readonly FormField[], isSigned: boolean): FieldLocks {
  // A field whose kids have names of their own is only a group of fields.
  const groups = new Set(fields.flatMap(({ partialName, parent }) => (partialName === undefined ? [] : [parent])))
  const isFillable = (field: FormField): boolean =>
    field.partialName !== undefined && FILLABLE_TYPES.has(field.type) && !groups.has(field)
  const locked = fields.filter(isFillable)
  const names = bytesOf(...locked.map((field) => `${formatText(fullName(field))}\n`))
  const fillable = locked.filter((field) => !isReadOnly(field))
  if (isSigned) return { names, updates: [], fillable: fillable.length, scriptsDropped: 0 }
  const withScripts = fields.filter((field) => droppedScripts(file, field) !== undefined)
  const flagged = new Set(fillable)
  const stripped = new Set(withScripts)
  const updates = [...new Set([...fillable, ...withScripts])].flatMap((field) =>
    updateOf(field, flagged.has(field), stripped.has(field)),
  )
  return { names, updates, fillable: fillable.length, scriptsDropped: withScripts.length }
}

/** None for a field that cannot be rewritten: the lock still names it. */
function updateOf({ ref, dict, flags }: FormField, setsFlag: boolean, dropsScripts: boolean): Update[] {
  if (ref === undefined || dict.ambiguous) return []
  const body = rawDict(dict, dropsScripts ? ['AA'] : [], setsFlag ? [['Ff', String(flags | READ_ONLY)]] : [])
  return [{ ref, body }]
}

function isReadOnly({ flags }: FormField): boolean {
  return (flags & READ_ONLY) !== 0
}

/** The partial names from the top down, joined by periods (ISO 32000-2, 12.7.4.2). */
function fullName(field: FormField): string {
  const names: string[] = []
  let node: FormField | undefined = field
  for (let level = 0; node !== undefined; level++, node = node.parent) {
    if (level === MAX_NAME_LEVELS) throw tooComplex('the fields of its form are nested too deep')
    if (node.partialName !== undefined) names.unshift(node.partialName)
  }
  return names.join('.')
}
