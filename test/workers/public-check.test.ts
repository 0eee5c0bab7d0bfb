// The public check over HTTP: what it confirms, what it reads, and what it decides every time.
import { appendFile, chmod, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { refreshClock } from '#core/platform/postgres/clock.ts'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ADA, aSentEnvelope } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { clientWithToken } from '../support/clients/api-client.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function aSealedSignature() {
  const { id } = await aSignedEnvelope(service)
  const [signature] = await service.database.owner`select id from signatures where envelope_id = ${id}`
  const [document] = await service.database.owner`select sha256, storage_key from sealed_documents where envelope_id = ${id}`
  return {
    envelopeId: id,
    signatureId: String(signature!['id']),
    code: service.api.keys.verificationCode(signature!['id']),
    sha256: document!['sha256'].toString('hex') as string,
    storageKey: String(document!['storageKey']),
  }
}
const verify = (id: string, h: string) => clientWithToken(service.url).get(`/api/v1/verify?id=${id}&h=${encodeURIComponent(h)}`)

// requirements: service-api/ceremony/verification result, service-api/verification/verify, decisions/completion/id, decisions/completion/h, decisions/smaller/verify by file hash
test("confirms by the printed code and by the file's hash, and names the signer", async () => {
  const { envelopeId, signatureId, code, sha256 } = await aSealedSignature()
  for (const h of [code, sha256, sha256.toUpperCase()]) {
    const { status, body } = await verify(signatureId, h)
    expect(status).toBe(200)
    expect(body).toEqual({
      valid: true,
      message: expect.stringMatching(h === code ? /on record.*self/ : /that was sealed.*self/),
      envelopeId,
      signedAt: expect.any(String),
      signerEmail: ADA.email,
      signerName: ADA.name,
    })
  }
})

// requirements: decisions/completion/unknown id, wrong h
test('answers the same for an unknown id and a wrong proof, and nothing else', async () => {
  const { signatureId } = await aSealedSignature()
  const wrong = await verify(signatureId, 'AAAAAAAAAAAAAAAAAAAAAA')
  const unknown = await verify('6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00', 'AAAAAAAAAAAAAAAAAAAAAA')
  expect(wrong.body).toEqual({ valid: false, message: expect.any(String) })
  expect(unknown.body).toEqual(wrong.body)
  expect((await verify(signatureId, 'f'.repeat(64))).body).toEqual(wrong.body)
})

test.each([
  ['no id', '?h=x'],
  ['an id that is none', '?id=x&h=x'],
  ['no proof', '?id=6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00'],
  ['an id twice', '?id=6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00&id=6f1f2c1e-7a52-4c0b-9d0e-0d6f0c7b1a00&h=x'],
])('answers 400 for %s', async (_name, query) => {
  expect((await clientWithToken(service.url).get(`/api/v1/verify${query}`)).body.code).toBe('VALIDATION_FAILED')
})

// requirements: decisions/completion/valid only when
test('does not confirm when the key was compromised before the seal', async () => {
  const { signatureId, code } = await aSealedSignature()
  await service.database.owner`update seal_certificates set compromised_from = now() - interval '1 day'`
  expect((await verify(signatureId, code)).body.valid).toBe(false)
  await service.database.owner`update seal_certificates set compromised_from = now() + interval '1 day'`
  expect((await verify(signatureId, code)).body.valid).toBe(true)
  await service.database.owner`update seal_certificates set compromised_from = null`
})

// requirements: decisions/completion/valid only when
test('does not confirm when the record does not match the stored file', async () => {
  const { envelopeId, signatureId, code } = await aSealedSignature()
  await service.database.owner`update sealed_documents set sha256 = sha256(sha256) where envelope_id = ${envelopeId}`
  const { body } = await verify(signatureId, code)
  expect(body).toMatchObject({ valid: false, message: expect.stringContaining('changed') })
})

// requirements: decisions/security/public check
test('reads only the file of the hash, every file once, and one for many who ask at the same time', async () => {
  const names = ['reportlab.pdf', 'libreoffice.pdf', 'weasyprint.pdf']
  const uploads = await Promise.all(
    names.map(async (name) => service.client.upload('/api/v1/documents', await readFile(pdfFixture(name)))),
  )
  const { id } = await aSignedEnvelope(service, { documentIds: uploads.map(({ body }) => body.id) })
  const [signature] = await service.database.owner`select id from signatures where envelope_id = ${id}`
  const rows = await service.database.owner`select sha256, storage_key from sealed_documents where envelope_id = ${id}`
  const [first, ...others] = rows.map((row) => ({ hash: row['sha256'].toString('hex'), key: String(row['storageKey']) }))
  const read = vi.spyOn(service.api.storage, 'read')
  onTestFinished(() => read.mockRestore())
  const readsOf = async (proof: string, times: number) => {
    read.mockClear()
    const answers = await Promise.all(Array.from({ length: times }, () => verify(signature!['id'], proof)))
    expect(answers.map(({ body }) => body.valid)).not.toContain(false)
    return inOrder(read.mock.calls.map(([key]) => key))
  }
  expect(await readsOf(first!.hash, 4)).toEqual([first!.key])
  expect(await readsOf(first!.hash, 1)).toEqual([])
  expect(await readsOf(service.api.keys.verificationCode(signature!['id']), 4)).toEqual(inOrder(others.map(({ key }) => key)))
  expect(await readsOf(service.api.keys.verificationCode(signature!['id']), 1)).toEqual([])
  expect(await readsOf('f'.repeat(64), 0)).toEqual([])
})

test('notices a stored file that was replaced or lost after a check', async () => {
  const { signatureId, code, sha256, storageKey } = await aSealedSignature()
  expect((await verify(signatureId, code)).body.valid).toBe(true)
  const file = path.join(service.dataDir, 'storage', 'objects', storageKey)
  await chmod(file, 0o600)
  await appendFile(file, '%')
  for (const h of [code, sha256])
    expect((await verify(signatureId, h)).body).toMatchObject({ valid: false, message: expect.stringContaining('changed') })
  await rm(file)
  expect((await verify(signatureId, code)).status).not.toBe(200)
})

// requirements: decisions/security/seal dated after now
test('does not confirm a seal that is dated more than a day ahead', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  await signAs(service, tokens[0]!.token)
  await service.database.moveClock(3 * 86_400)
  await service.sealEnvelopes()
  await service.database.moveClock(0)
  await refreshClock(service.api.database)
  const [signature] = await service.database.owner`select id from signatures where envelope_id = ${id}`
  const check = () => verify(signature!['id'], service.api.keys.verificationCode(signature!['id']))
  expect((await check()).body).toMatchObject({ valid: false, message: expect.stringContaining('not come yet') })
  await service.database.moveClock(3 * 86_400)
  await refreshClock(service.api.database)
  expect((await check()).body.valid).toBe(true)
  await service.database.moveClock(0)
  await refreshClock(service.api.database)
})

function inOrder(keys: readonly string[]): string[] {
  return keys.toSorted((a, b) => a.localeCompare(b))
}
