// The documents of test/fixtures/pdfs, real-files and field-cases; a README.md in each folder describes them.
import { readdirSync } from 'node:fs'
import path from 'node:path'

const FOLDER = path.join(import.meta.dirname, '../../fixtures/pdfs')

/** The file names, sorted. */
export const PDF_FIXTURES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.pdf'))
  .toSorted()

/** The path of one of them. */
export function pdfFixture(name: string): string {
  return path.join(FOLDER, name)
}

const REAL_FILES = path.join(import.meta.dirname, '../../fixtures/real-files')

/** The path of a file with one flaw. */
export function realFile(name: string): string {
  return path.join(REAL_FILES, `${name}.pdf`)
}

const FIELD_CASES = path.join(import.meta.dirname, '../../fixtures/field-cases')

/** The path of a file after a report from the field, and all of them. */
export function fieldCase(name: string): string {
  return path.join(FIELD_CASES, `${name}.pdf`)
}

export const FIELD_CASE_FILES: readonly string[] = readdirSync(FIELD_CASES)
  .filter((name) => name.endsWith('.pdf'))
  .toSorted()
  .map((name) => path.join(FIELD_CASES, name))
