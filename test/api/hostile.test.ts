import { gzipSync } from 'node:zlib'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/clients/api-client.ts'
import { ADA, aSentEnvelope } from '../support/builders/envelopes.ts'
import { SOME_NAUGHTY_STRINGS } from '../support/hostile/naughty-strings.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { signer, SIGNATURE_IMAGE } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const JSON_TYPE = { 'Content-Type': 'application/json' }

interface Created {
  title: string
  message: string
  signers: { name: string; email: string }[]
  labels: Record<string, string>
}

/** Stored exactly or rejected with a message; never an internal error. */
function expectKeptOrRefused({ status, body }: Answer, kept: (body: Created) => unknown, given: unknown): void {
  if (status === 201) expect(kept(body)).toEqual(given)
  else expect([400, 422], JSON.stringify(given)).toContain(status)
}

describe('a hostile string', () => {
  test.each([
    ['title', (text: string) => ({ title: text, signers: [ADA] }), (body: Created) => body.title],
    ['message', (text: string) => ({ title: 'x', message: text, signers: [ADA] }), (body: Created) => body.message],
    [
      'signer name',
      (text: string) => ({ title: 'x', signers: [{ ...ADA, name: text }] }),
      (body: Created) => body.signers[0]!.name,
    ],
    [
      'signer e-mail',
      (text: string) => ({ title: 'x', signers: [{ ...ADA, email: text }] }),
      (body: Created) => body.signers[0]!.email,
    ],
  ])('as %s is kept exactly or refused', async (_name, toBody, kept) => {
    for (const text of SOME_NAUGHTY_STRINGS) {
      expectKeptOrRefused(await service.client.post('/api/v1/envelopes', toBody(text)), kept, text)
    }
  })

  test('as label is stored in NFC or rejected', async () => {
    for (const text of SOME_NAUGHTY_STRINGS) {
      const body = { title: 'x', signers: [ADA], labels: { note: text, [text]: 'x' } }
      const answer = await service.client.post('/api/v1/envelopes', body)
      expectKeptOrRefused(answer, (created: Created) => created.labels, { note: text.normalize('NFC'), [text]: 'x' })
    }
  })

  test("as file name is stored exactly, of a path its last part, or rejected, and keeps the download's header intact", async () => {
    const pdf = await readFile(pdfFixture('pdfkit.pdf'))
    // Clients disagree on whether a backslash before a quote is an escape, so such names are left out.
    const names = SOME_NAUGHTY_STRINGS.filter((each) => !/\\("|$)/.test(each))
    const taken: string[] = []
    for (const text of [...names, "O'Neil's.pdf"]) {
      const answer = await service.client.upload('/api/v1/documents', pdf, { name: text })
      // fetch sends lone surrogates as U+FFFD, which is rejected. Forms escape a quote as %22 and leave a literal %22 unchanged, so both
      // look the same.
      if (answer.status === 201) expect(answer.body.filename).toBe(text.replaceAll('%22', '"').replace(/^.*[/\\]/s, ''))
      else expect(answer.status).toBe(400)
      if (answer.status === 201) taken.push(answer.body.id)
    }
    expect(taken.length).toBeGreaterThan(40)
    while (taken.length > 0) await expectDownloads(taken.splice(0, 20))
  })

  test('as code, challenge, verification proof or token is rejected with a message', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(service.url, tokens[0]!.token)
    const { body: challenge } = await ada.requestOtp()
    for (const text of SOME_NAUGHTY_STRINGS) {
      expect([200, 400, 429]).toContain((await ada.verifyOtp(challenge.challengeId, text)).status)
      expect((await ada.verifyOtp(text, '123456')).status).toBe(400)
      expect([400, 422]).toContain((await ada.sign({ signatureImage: text })).status)
      expect([200, 400]).toContain(
        (await service.client.get(`/api/v1/verify?id=${challenge.challengeId}&h=${encodeURIComponent(text.toWellFormed())}`))
          .status,
      )
      expect([400, 404]).toContain((await service.client.get(`/api/v1/sign/${encodeURIComponent(text.toWellFormed())}`)).status)
    }
  })
})

/** Downloads each by a client that parses its URLs. */
async function expectDownloads(documentIds: readonly string[]): Promise<void> {
  const { body: draft } = await service.client.post('/api/v1/envelopes', { title: 'x', signers: [ADA], documentIds })
  const { body: documents } = await service.client.get(`/api/v1/envelopes/${draft.id}/documents`)
  expect(documents).toHaveLength(documentIds.length)
  for (const { filename, downloadUrl } of documents) {
    const answer = await fetch(downloadUrl)
    expect([filename, answer.status, answer.headers.get('content-type')]).toEqual([filename, 200, 'application/pdf'])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=/)
    await answer.body?.cancel()
  }
}

describe('a body that does not match its declaration', () => {
  test.each([
    ['broken gzip', Buffer.from('not gzip at all'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    ['a gzip bomb', gzipSync(Buffer.alloc(50_000_000, ' ')), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    ['an unknown encoding', Buffer.from('{}'), { ...JSON_TYPE, 'Content-Encoding': 'zebra' }],
    ['an unknown charset', Buffer.from('{}'), { 'Content-Type': 'application/json; charset=zebra' }],
    ['UTF-16 that is none', Buffer.from('{}'), { 'Content-Type': 'application/json; charset=utf-16' }],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), JSON_TYPE],
    ['a bare null', Buffer.from('null'), JSON_TYPE],
    ['a bare number', Buffer.from('1e999'), JSON_TYPE],
    ['an array', Buffer.from('[]'), JSON_TYPE],
    ['a huge number', Buffer.from(`{"title":"x","linkTtlHours":1${'0'.repeat(400)},"signers":[]}`), JSON_TYPE],
    ['prototype keys', Buffer.from('{"__proto__":{"title":"x"},"constructor":{"prototype":{}},"signers":[]}'), JSON_TYPE],
  ])('is refused: %s', async (_name, body, headers) => {
    const { status } = await service.client.send('POST', '/api/v1/envelopes', { body, headers })
    expect([400, 413, 415, 422]).toContain(status)
  })

  test('a signature image of 600 KB gets the error about the image, not the body', async () => {
    const { tokens } = await aSentEnvelope(service.client)
    const { status, body } = await signer(service.url, tokens[0]!.token).sign({
      signatureImage: Buffer.alloc(600_000).toString('base64'),
    })
    expect([status, body.code]).toEqual([422, 'SIGNATURE_IMAGE_INVALID'])
  })
})

// requirements: decisions/smaller/order of the gates, decisions/links/open each document
test('the order of the gates: image before code before view', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
  const ada = signer(service.url, tokens[0]!.token)
  expect((await ada.sign({ signatureImage: 'x' })).body.code).toBe('SIGNATURE_IMAGE_INVALID')
  expect((await ada.sign({ signatureImage: SIGNATURE_IMAGE })).body.code).toBe('OTP_REQUIRED')
  const { tokens: others } = await aSentEnvelope(service.client)
  expect((await signer(service.url, others[0]!.token).sign()).body.code).toBe('VIEW_REQUIRED')
})

// requirements: decisions/smaller/order of the gates, decisions/links/dead link
test('the order of the gates: shape before link, and state before image', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  await service.client.post(`/api/v1/envelopes/${id}/cancel`)
  const ended = signer(service.url, tokens[0]!.token)
  const nobodys = signer(service.url, 'A'.repeat(43))
  const misshapen = [await nobodys.sign({ signatureImage: 1 }), await ended.sign({ signatureImage: 1 })]
  expect(misshapen.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'VALIDATION_FAILED'],
    [400, 'VALIDATION_FAILED'],
  ])
  const noImage = [await nobodys.sign({ signatureImage: 'x' }), await ended.sign({ signatureImage: 'x' })]
  expect(noImage.map(({ status, body }) => [status, body.code])).toEqual([
    [404, 'SIGNING_LINK_NOT_FOUND'],
    [409, 'ENVELOPE_NOT_OPEN'],
  ])
})
