// When credentials are read again, by a clock that the test moves.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newCredentials } from '#core/platform/kubernetes/credentials.ts'

async function newFiles() {
  const folder = await mkdtemp(path.join(tmpdir(), 'sealwright-credentials-'))
  const [token, ca] = [path.join(folder, 'token'), path.join(folder, 'ca.crt')]
  await writeFile(token, 'first\n')
  await writeFile(ca, 'authority')
  let now = 0
  const credentials = newCredentials({ server: 'https://a.example', token: { file: token }, authority: { file: ca } }, () => now)
  return { token, ca, credentials, pass: (ms: number) => void (now += ms) }
}

test('a token file is read again after a minute of the monotonic clock', async () => {
  const { token, credentials, pass } = await newFiles()
  expect(await credentials.current()).toEqual({ authorization: 'Bearer first', tls: { ca: 'authority' } })
  await writeFile(token, 'second')
  pass(59_999)
  expect(await credentials.current()).toMatchObject({ authorization: 'Bearer first' })
  pass(1)
  expect(await credentials.current()).toMatchObject({ authorization: 'Bearer second' })
})

test('a reread says whether anything changed', async () => {
  const { token, ca, credentials } = await newFiles()
  await credentials.current()
  expect(await credentials.reread()).toBe(false)
  await writeFile(token, 'second')
  expect(await credentials.reread()).toBe(true)
  await writeFile(ca, 'another authority')
  expect(await credentials.reread()).toBe(true)
})

test('unchanged TLS material stays the same object, so that connections are kept', async () => {
  const { token, ca, credentials } = await newFiles()
  const { tls } = await credentials.current()
  await writeFile(token, 'second')
  credentials.expire()
  const later = await credentials.current()
  expect(later).toMatchObject({ authorization: 'Bearer second' })
  expect(later.tls).toBe(tls)
  await writeFile(ca, 'another authority')
  credentials.expire()
  expect((await credentials.current()).tls).toEqual({ ca: 'another authority' })
})

test('what was read stays in use while a file is missing; without it the first call fails', async () => {
  const { token, credentials } = await newFiles()
  await credentials.current()
  await rm(token)
  credentials.expire()
  expect(await credentials.current()).toMatchObject({ authorization: 'Bearer first' })
  const none = newCredentials({ server: 'https://a.example', token: { file: token } })
  await expect(none.current()).rejects.toMatchObject({ name: 'KubeUnreachable', reason: 'credentials' })
})

function program(script: string) {
  const exec = { command: process.execPath, args: ['-e', script] }
  return newCredentials({ server: 'https://a.example', exec: { name: 'me', exec } })
}

test('a program prints the token, and runs again only for a reread', async () => {
  const credentials = program('console.log(JSON.stringify({ status: { token: String(process.pid) } }))')
  const { authorization } = await credentials.current()
  expect(authorization).toMatch(/^Bearer \d+$/)
  credentials.expire()
  expect(await credentials.current()).toMatchObject({ authorization })
  expect(await credentials.reread()).toBe(true)
  expect((await credentials.current()).authorization).not.toBe(authorization)
})

test.each([
  ['what it prints', 'console.log("S3CRET")'],
  ['what it reports', 'console.error("S3CRET"); process.exit(1)'],
])('of a failed program %s is not quoted', async (_, script) => {
  const failed = program(script).current()
  await expect(failed).rejects.toMatchObject({ name: 'KubeUnreachable', reason: 'credentials' })
  await expect(failed).rejects.not.toThrow('S3CRET')
})
