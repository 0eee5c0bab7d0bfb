import { certificates } from '#core/platform/config/certificates.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { toPemCertificate } from '#core/pades/signing-key.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let folder: string
let pem: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sealwright-certificates-'))
  const { certificate } = await newSelfSignedKey({ commonName: 'Test', organisation: 'Test', now: new Date() })
  pem = toPemCertificate(certificate).trim()
})
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string): Promise<{ certificates: string[] | undefined; fault: string | undefined }> {
  const file = path.join(folder, 'ca.pem')
  await writeFile(file, text)
  const { data, error } = certificates.safeParse(file)
  return { certificates: data, fault: error?.issues[0]?.message }
}

test('a file may hold several certificates, and words between them', async () => {
  expect((await read(`# ours\n${pem}\n# theirs\n${pem}\n`)).certificates).toEqual([pem, pem])
})

test.each(['', 'hello', '-----BEGIN CERTIFICATE-----'])('a file with %j holds none', async (text) => {
  expect((await read(text)).fault).toBe('refers to a file without a PEM certificate')
})

test('a certificate that is none is reported', async () => {
  const { fault } = await read('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')
  expect(fault).toMatch(/^refers to a file that cannot be read: /)
})

test('a file that is not there is reported', () => {
  const { error } = certificates.safeParse(path.join(folder, 'absent.pem'))
  expect(error?.issues[0]?.message).toMatch(/^refers to a file that cannot be read: ENOENT/)
})
