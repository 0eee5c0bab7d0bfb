// The lock of the form's fields (ISO 32000-2, table 236). It lists names instead of /All, which would also lock empty signature fields. The
// signature has no FieldMDP reference: with one, pyHanko refuses every later seal or time stamp of a form whose fields have appearances.
import { unpack } from '../plan/pack.ts'
import { allocate, type IncrementWriter, putObject } from './increment-writer.ts'

/** Writes the lock of the planned fields. Returns the /Lock entry of the signature field, or nothing without fields to lock. */
export function putFieldLock(writer: IncrementWriter): string {
  const { lockedFields } = writer.plan
  if (lockedFields === null) return ''
  const lock = allocate(writer, 1)
  putObject(writer, lock, 0, '<</Type/SigFieldLock/Action/Include/Fields[', unpack(lockedFields), ']>>')
  return `/Lock ${lock} 0 R`
}
