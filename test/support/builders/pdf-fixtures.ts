// The documents of test/fixtures/pdfs; its README.md describes each.
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
