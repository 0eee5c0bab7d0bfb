// Reads entries of a dictionary whose values may be indirect objects.
import type { PdfFile } from '../read/pdf-file.ts'
import type { PdfDict, PdfValue } from '../read/value.ts'

/** The entry as a name; undefined for anything else. */
export function nameEntry(file: PdfFile, dict: PdfDict, key: string): string | undefined {
  const value = dict.entries.get(key)
  if (value === undefined) return undefined
  const resolved = file.resolve(value)
  return resolved.kind === 'name' ? resolved.name : undefined
}

/** The value as a dictionary; undefined for anything else. */
export function dictOf(file: PdfFile, value: PdfValue | undefined): PdfDict | undefined {
  const resolved = file.resolve(value)
  return resolved.kind === 'dict' ? resolved : undefined
}

/** The items of an array; empty for anything else. */
export function itemsOf(file: PdfFile, value: PdfValue | undefined): readonly PdfValue[] {
  const resolved = file.resolve(value)
  return resolved.kind === 'array' ? resolved.items : []
}
