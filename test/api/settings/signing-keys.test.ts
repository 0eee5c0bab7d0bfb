import { X509Certificate } from 'node:crypto'
import { importKey } from '#core/signing-key/import-key.ts'
import { listSigningKeys } from '#core/signing-key/list-signing-keys.ts'
import { markCompromised } from '#core/signing-key/mark-compromised.ts'
import { newSelfSignedKey } from '#core/pades/self-signed-key.ts'
import { signingKeyFingerprint } from '#core/pades/signing-key.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activateKey, openedKey } from '../../support/builders/signing-keys.ts'
import { type PanelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let member: PanelClient

beforeAll(async () => {
  service = await testService()
  member = await signedIn(service, { role: 'MEMBER' })
})
afterAll(() => service[Symbol.asyncDispose]())

// requirements: running/panel/GET /signing-keys
test('the sealing key is shown with its certificate, also to members', async () => {
  const { status, body } = await member.get('/signing-keys')
  const certificate = new X509Certificate(service.sealingKey.certificate)
  expect(status).toBe(200)
  expect(body).toEqual([
    {
      fingerprint: signingKeyFingerprint(service.sealingKey),
      subject: 'O=Test, CN=Test seal',
      issuer: 'O=Test, CN=Test seal Root',
      algorithm: 'ECDSA P-256',
      notBefore: certificate.validFromDate.toISOString(),
      notAfter: certificate.validToDate.toISOString(),
      origin: 'SELF_MADE',
      trust: expect.stringContaining('self-signed key of this installation'),
      current: true,
      sealingSince: expect.any(String),
    },
  ])
})

// requirements: running/panel/GET /signing-keys
test('the chain is a PEM file, from the sealing certificate to its root', async () => {
  const fingerprint = signingKeyFingerprint(service.sealingKey)
  const { status, headers, body } = await member.get(`/signing-keys/${fingerprint}/chain`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pem-certificate-chain'])
  expect(headers.get('content-disposition')).toBe(`attachment; filename=sealwright-${fingerprint.slice(0, 16)}.pem`)
  const certificates = [...body.matchAll(/-----BEGIN[^]+?END CERTIFICATE-----/g)].map(([pem]) => new X509Certificate(pem))
  expect(certificates.map(({ raw }) => raw)).toEqual([service.sealingKey.certificate, ...service.sealingKey.chain])
  expect((await member.get(`/signing-keys/${fingerprint.toUpperCase()}/chain`)).status).toBe(200)
})

test('a chain is not available in another type, nor for an unknown key', async () => {
  const fingerprint = signingKeyFingerprint(service.sealingKey)
  const other = await member.get(`/signing-keys/${fingerprint}/chain`, { Accept: 'application/json' })
  expect([other.status, other.body.code]).toEqual([406, 'NOT_ACCEPTABLE'])
  for (const unknown of ['0'.repeat(64), 'none']) {
    const { status, body } = await member.get(`/signing-keys/${unknown}/chain`)
    expect([status, body.code]).toEqual([404, 'SIGNING_KEY_NOT_FOUND'])
  }
})

test('the current key is the one that seals, unless it is compromised', async () => {
  await using own = await testService()
  const panel = await signedIn(own)
  const current = async () => {
    const { body } = await panel.get('/signing-keys')
    return body.map((key: { subject: string; current: boolean }) => [key.subject, key.current])
  }
  const next = openedKey(await newSelfSignedKey({ commonName: 'Next seal', organisation: 'Test', now: new Date() }))
  const imported = await importKey(own.system, { opened: next })
  expect(await current()).toEqual([['O=Test, CN=Test seal', true]])
  await activateKey(own, imported)
  expect(await current()).toEqual([
    ['O=Test, CN=Next seal', true],
    ['O=Test, CN=Test seal', false],
  ])
  expect((await panel.get('/signing-keys')).body[0].trust).toContain('a certificate of another issuer')
  await markCompromised(own.system, imported.keyId, new Date(Date.now() - 1_000))
  const { body } = await panel.get('/signing-keys')
  expect(body.map((key: { current: boolean }) => key.current)).toEqual([false, false])
  expect(body[0].compromisedFrom).toEqual(expect.any(String))
})

test("an organisation's key and its chain are shown to no other organisation", async () => {
  const { organisation } = await service.anotherOrganisation()
  const key = await newSelfSignedKey({ commonName: 'Seal of another', organisation: 'Another', now: new Date() })
  const imported = await importKey(service.system, { orgId: organisation.orgId, opened: openedKey(key) })
  await activateKey(service, imported)
  const own = await member.get('/signing-keys')
  expect(own.body.map(({ subject }: { subject: string }) => subject)).toEqual(['O=Test, CN=Test seal'])
  expect((await member.get(`/signing-keys/${signingKeyFingerprint(key)}/chain`)).body.code).toBe('SIGNING_KEY_NOT_FOUND')
  const keys = await listSigningKeys(service.api, organisation.orgId)
  expect(keys.map(({ subject, isCurrent }) => [subject, isCurrent])).toEqual([
    ['O=Another, CN=Seal of another', true],
    ['O=Test, CN=Test seal', false],
  ])
})
