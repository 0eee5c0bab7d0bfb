import { certificates } from '#core/platform/config/certificates.ts'
import { newSelfMadeKey } from '#core/pades/self-made-key.ts'
import { toPemCertificate } from '#core/pades/signing-key.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
let pem: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-certificates-'))
  const { certificate } = await newSelfMadeKey({ commonName: 'Test', organisation: 'Test', now: new Date() })
  pem = toPemCertificate(certificate).trim()
})
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string): Promise<{ certificates: string[] | undefined; expected: string | undefined }> {
  const file = path.join(folder, 'ca.pem')
  await writeFile(file, text)
  const { data, error } = certificates.safeParse(file)
  return { certificates: data, expected: error?.issues[0]?.message }
}

test('a file may contain several certificates with text between them', async () => {
  expect((await read(`# ours\n${pem}\n# theirs\n${pem}\n`)).certificates).toEqual([pem, pem])
})

test.each(['', 'hello', '-----BEGIN CERTIFICATE-----'])('a file with %j contains none', async (text) => {
  expect((await read(text)).expected).toBe('names a file without a PEM certificate')
})

test('an invalid certificate is reported', async () => {
  const { expected } = await read('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')
  expect(expected).toMatch(/^names a file that cannot be read: /)
})

test('a missing file is reported', () => {
  const { error } = certificates.safeParse(path.join(folder, 'absent.pem'))
  expect(error?.issues[0]?.message).toMatch(/^names a file that cannot be read: ENOENT/)
})
