// Which file an argument means, and which root the embedded run gives.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { embeddedRoot, resolveArgument } from '../../../../api/cli/called-in.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-called-in-'))
  await mkdir(path.join(folder, '.sealwright', 'keys'), { recursive: true })
  await writeFile(path.join(folder, '.sealwright', 'keys', 'signing-root.pem'), '')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('an argument is relative to the folder that npm was called in', () => {
  expect(resolveArgument('a.pdf', { INIT_CWD: folder })).toBe(path.join(folder, 'a.pdf'))
  expect(resolveArgument('a.pdf', {})).toBe(path.resolve('a.pdf'))
  expect(resolveArgument(path.join(folder, 'a.pdf'), { INIT_CWD: '/elsewhere' })).toBe(path.join(folder, 'a.pdf'))
})

it('only the data of an embedded run gives a root', async () => {
  const root = path.join(folder, '.sealwright', 'keys', 'signing-root.pem')
  const given = () => [
    embeddedRoot({ INIT_CWD: '/elsewhere' }, folder),
    embeddedRoot({ INIT_CWD: '/elsewhere', SEALWRIGHT_DATA_DIR: '.sealwright' }, folder),
    embeddedRoot({ INIT_CWD: '/elsewhere', SEALWRIGHT_DATA_DIR: path.join(folder, '.sealwright') }, '/elsewhere'),
  ]
  expect(given()).toEqual([undefined, undefined, undefined])
  await writeFile(path.join(folder, '.sealwright', 'dev.json'), '{}')
  expect(given()).toEqual([root, root, root])
  // A folder with a file to verify may be from anyone.
  expect(embeddedRoot({ INIT_CWD: folder }, '/elsewhere')).toBeUndefined()
})
