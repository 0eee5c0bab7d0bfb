// The lock of the form's fields (ISO 32000-2, table 236 and 12.8.2.4): /Lock of the signature field is for viewers, the FieldMDP reference of
// the signature for validators. It lists names instead of /All, which would also lock empty signature fields and later seals.
import { unpack } from '../plan/pack.ts'
import { allocate, type IncrementWriter, putObject } from './increment-writer.ts'

export interface FieldLock {
  /** The entries of the signature field and of the signature dictionary, in PDF syntax; empty without fields to lock. */
  readonly fieldEntry: string
  readonly signatureEntry: string
}

/** Writes the lock of the planned fields. */
export function putFieldLock(writer: IncrementWriter): FieldLock {
  const { lockedFields, root } = writer.plan
  if (lockedFields === null) return { fieldEntry: '', signatureEntry: '' }
  const names = allocate(writer, 2)
  const lock = names + 1
  putObject(writer, names, 0, '[', unpack(lockedFields), ']')
  const fields = `/Action/Include/Fields ${names} 0 R`
  putObject(writer, lock, 0, `<</Type/SigFieldLock${fields}>>`)
  const data = unpack(root).toString('latin1')
  const parameters = `/TransformParams<</Type/TransformParams/V/1.2${fields}>>`
  return {
    fieldEntry: `/Lock ${lock} 0 R`,
    signatureEntry: `/Reference[<</Type/SigRef/TransformMethod/FieldMDP${parameters}/Data ${data}>>]`,
  }
}
