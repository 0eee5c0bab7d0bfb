import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Writes a file like a mounted secret, deleted with the test, and returns its path. */
export function secretFile(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sealwright-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'secret')
  writeFileSync(file, text)
  return file
}
