// The driver as npm leaves it when it runs no scripts.
import { cpSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { assertCorrected } from '#core/platform/postgres/check-driver.ts'
import { POSTGRES_CORRECTIONS } from '../../../../../hack/postgres-corrections.mjs'

const MODULES = path.join(import.meta.dirname, '../../../../../node_modules')
const URL = 'postgres://user@127.0.0.1/database'

test('a driver without its corrections is refused, with what to do', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'driver-'))
  cpSync(path.join(MODULES, 'postgres'), path.join(folder.path, 'postgres'), { recursive: true })
  for (const [name, before, after] of POSTGRES_CORRECTIONS.flatMap(({ changes }) => changes)) {
    const file = path.join(folder.path, name)
    const text = readFileSync(file, 'utf8')
    expect(text.split(after)).toHaveLength(2)
    writeFileSync(
      file,
      text.replace(after, () => before),
    )
  }
  const { default: released } = await import(pathToFileURL(path.join(folder.path, 'postgres/src/index.js')).href)
  expect(() => assertCorrected(released(URL))).toThrow(
    /^The package postgres was installed without its corrections.* Run "node hack\/patch-packages\.mjs"/,
  )
  expect(() => assertCorrected(postgres(URL))).not.toThrow()
})
