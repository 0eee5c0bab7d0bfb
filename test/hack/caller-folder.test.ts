// The commands as a user calls them from a folder of their own: npx and the script itself, which run in the root of the project.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { toPemCertificate } from '#core/pades/signing-key.ts'
import { sealedFile } from '../unit/core/pades/sealed-file.ts'

/** Also the name of a file in the root of the project. */
const FILE = 'README.md'
const ROOT = path.resolve('.')
const SCRIPT = path.join(ROOT, 'hack', 'sealwright.mjs')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-caller-'))
  const now = new Date()
  const key = await newSelfSignedKey({ commonName: 'Seal', organisation: 'House', now })
  await writeFile(path.join(folder, FILE), await sealedFile(key, undefined, now))
  await writeFile(path.join(folder, 'root.pem'), key.chain.map(toPemCertificate).join(''))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each<[string, string[], object]>([
  ['npx', ['npx', '--prefix', ROOT, 'sealwright'], {}],
  ['the script', [process.execPath, SCRIPT], { INIT_CWD: undefined }],
  ['the script, called by a script of npm that has moved on', [process.execPath, SCRIPT], { INIT_CWD: ROOT }],
])('%s reads the file of the folder in which it is called', (_, [program = '', ...args], env) => {
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } } as const
  const { status, stdout, stderr } = spawnSync(program, [...args, 'verify', FILE, '--trust', 'root.pem', '--json'], options)
  expect([stderr, status]).toEqual(['', 0])
  expect(JSON.parse(stdout)).toMatchObject({ valid: true, trusted: true })
})

test('a script of npm, which moves to the root, reads the file of the folder in which npm was called', () => {
  const options = { cwd: ROOT, encoding: 'utf8', env: { ...process.env, INIT_CWD: folder } } as const
  const { status } = spawnSync(process.execPath, [SCRIPT, 'verify', FILE, '--trust', 'root.pem'], options)
  expect(status).toBe(0)
})
