// An envelope from draft to sealed copy, with every complete response of the ceremony and every event.
import { openLink } from '#core/envelope/ceremony/open-link.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { aSignedEnvelope } from '../support/builders/signed-envelope.ts'
import { signer as signerAt } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
  // The first seal loads fonts and code; later ones are done well within the last signer's wait.
  await aSignedEnvelope(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const CLEO = { email: 'cleo@example.test', name: 'Cleo Signer' }
const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const signer = (token: string) => signerAt(service.url, token)
const statusOf = async (id: string) => (await service.client.get(`/api/v1/envelopes/${id}`)).body.status

/** The envelope's events in order; signer events with the signer. */
async function eventsOf(id: string): Promise<string[]> {
  const rows = await service.database.owner`select body::jsonb as body from events where envelope_id = ${id} order by seq`
  return rows.map(({ body }) => [body.type, body.data.signer?.email.split('@')[0]].filter(Boolean).join(' '))
}

async function sealWhenDue(id: string): Promise<void> {
  while ((await service.database.owner`select 1 from seal_jobs where envelope_id = ${id}`).length === 0);
  await service.sealEnvelopes()
}

// requirements: service-api/transitions/SENT to IN_PROGRESS, service-api/transitions/IN_PROGRESS stays, service-api/transitions/IN_PROGRESS to COMPLETED, service-api/events/*, service-api/ceremony/sign result, service-api/ceremony/sign request, service-api/ceremony/signed copy, service-api/signing/sign, service-api/signer/*, decisions/links/second sign, decisions/links/signedDocumentUrls
test('three signers: SENT, IN_PROGRESS twice, COMPLETED, one event each and in order', async () => {
  const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN, CLEO], title: 'For three' })
  const [ada, ben, cleo] = tokens.map(({ token }) => signer(token)) as [
    ReturnType<typeof signer>,
    ReturnType<typeof signer>,
    ReturnType<typeof signer>,
  ]
  expect(await statusOf(id)).toBe('SENT')
  for (const person of [ada, ben, cleo]) await person.viewOpened()
  const pending = { completed: false, envelopeId: id, message: expect.any(String), signedDocumentUrls: {} }
  expect((await ada.sign()).body).toEqual(pending)
  expect(await statusOf(id)).toBe('IN_PROGRESS')
  expect((await ada.sign()).body.code).toBe('ALREADY_SIGNED')
  expect((await ben.sign()).body).toEqual(pending)
  expect(await statusOf(id)).toBe('IN_PROGRESS')
  const [last] = await Promise.all([cleo.sign(), sealWhenDue(id)])
  const { body: documents } = await service.client.get(`/api/v1/envelopes/${id}/documents`)
  const documentId: string = documents[0].id
  expect(last.body).toEqual({
    completed: true,
    envelopeId: id,
    message: expect.any(String),
    signedDocumentUrls: { [documentId]: expect.stringMatching(/^http/) },
  })
  expect((await fetch(last.body.signedDocumentUrls[documentId])).status).toBe(200)
  const { body: envelope } = await service.client.get(`/api/v1/envelopes/${id}`)
  expect(envelope.status).toBe('COMPLETED')
  expect(envelope.signers).toEqual(
    [ADA, BEN, CLEO].map((who, index) => ({
      id: expect.any(String),
      ...who,
      signOrder: index + 1,
      status: 'SIGNED',
      signedAt: DATE_TIME,
    })),
  )
  expect(await eventsOf(id)).toEqual([
    'envelope.sent',
    ...['ada', 'ben', 'cleo'].map((who) => `signer.viewed ${who}`),
    ...['ada', 'ben', 'cleo'].map((who) => `signer.signed ${who}`),
    'envelope.completed',
  ])
  const signed = { archived: false, envelopeId: id, envelopeTitle: 'For three', signedDocumentsReady: true, signerName: ADA.name }
  const copy = { id: documentId, filename: 'document.pdf', signedDownloadUrl: expect.stringMatching(/^http/) }
  expect((await ada.signedCopy()).body).toEqual({ ...signed, documents: [copy] })
})

// requirements: service-api/ceremony/OTP verification result, service-api/signing/verify OTP, decisions/links/wrong code, decisions/links/permission after success, decisions/links/OTP
test('a code: its complete results, and a permission that one signature uses up', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true, signers: [ADA, BEN] })
  const ada = signer(tokens[0]!.token)
  const { body: challenge } = await ada.requestOtp()
  await service.sendMails()
  const code = /\b\d{6}\b/.exec((await service.mails.list())[0]!.text)![0]
  const wrong = await ada.verifyOtp(challenge.challengeId, code === '111111' ? '222222' : '111111')
  expect([wrong.status, wrong.body]).toEqual([200, { verified: false, message: expect.any(String), triesLeft: 4 }])
  const right = await ada.verifyOtp(challenge.challengeId, code)
  expect([right.status, right.body]).toEqual([200, { verified: true, message: expect.any(String) }])
  await ada.viewOpened()
  expect((await ada.sign()).status).toBe(200)
  const [link] = await service.database.owner`select otp_verified_at from signing_links where signer_id = ${tokens[0]!.signerId}`
  expect(link!['otpVerifiedAt']).toBe(null)
})

// requirements: decisions/links/permission after success
test('an inline code signs in one call, and a wrong one is an attempt without a signature', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
  const ada = signer(tokens[0]!.token)
  const { body: challenge } = await ada.requestOtp()
  await service.sendMails()
  const code = /\b\d{6}\b/.exec((await service.mails.list())[0]!.text)![0]
  await ada.verifyOtp(challenge.challengeId, code)
  await ada.viewOpened()
  await service.database.moveClock(1_801)
  const { body: next } = await ada.requestOtp()
  const refused = await ada.sign({ challengeId: next.challengeId, otpCode: 'wrong' })
  expect([refused.status, refused.body.code]).toEqual([422, 'OTP_REQUIRED'])
  await service.sendMails()
  const [{ tries }] = (await service.database
    .owner`select tries from otp_challenges where id = ${next.challengeId}`) as unknown as [{ tries: number }]
  expect(tries).toBe(1)
  const mails = await service.database.owner`select 1 from mails where template = 'ONE_TIME_CODE'`
  expect(mails.length).toBeGreaterThan(1)
  const fresh = /\b\d{6}\b/.exec(
    (await service.mails.list()).find(({ text }) => /\b\d{6}\b/.test(text) && !text.includes(code))!.text,
  )![0]
  const { status } = await ada.sign({ challengeId: next.challengeId, otpCode: fresh })
  await service.database.moveClock(0)
  expect(status).toBe(200)
})

// requirements: decisions/smaller/rules between fields
test('a code without its challenge is ignored: 422 where one is required, and no attempt', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
  const ada = signer(tokens[0]!.token)
  const { body: challenge } = await ada.requestOtp()
  const { status, body } = await ada.sign({ otpCode: '123456' })
  expect([status, body.code]).toEqual([422, 'OTP_REQUIRED'])
  expect(await service.database.owner`select tries from otp_challenges where id = ${challenge.challengeId}`).toEqual([
    { tries: 0 },
  ])
})

// requirements: decisions/links/OTP
test('an eleventh code within a day is rejected, though each hour has its five', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true, linkTtlHours: 100 })
  const ada = signer(tokens[0]!.token)
  for (let codes = 0; codes < 10; codes++) {
    await service.database.moveClock(codes * 900)
    expect((await ada.requestOtp()).body.resent).toBe(true)
  }
  await service.database.moveClock(5 * 3_600)
  const { status, body, headers } = await ada.requestOtp()
  expect([status, body.code]).toEqual([429, 'OTP_SEND_LIMIT'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(18 * 3_600)
  await service.database.moveClock(24 * 3_600 + 10)
  expect((await ada.requestOtp()).body.resent).toBe(true)
  await service.database.moveClock(0)
})

// requirements: decisions/envelopes/signer status, decisions/smaller/after cancel or expiry, service-api/events/envelope.cancelled, service-api/transitions/sent to CANCELLED
test('signer statuses: PENDING, SENT, VIEWED, SIGNED, and CANCELLED with the envelope', async () => {
  const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN, CLEO], sequentialSigning: true })
  const states = async () =>
    (await service.client.get(`/api/v1/envelopes/${id}`)).body.signers.map(({ status }: { status: string }) => status)
  expect(await states()).toEqual(['SENT', 'PENDING', 'PENDING'])
  const ada = signer(tokens[0]!.token)
  await ada.viewOpened()
  expect(await states()).toEqual(['VIEWED', 'PENDING', 'PENDING'])
  await ada.sign()
  expect(await states()).toEqual(['SIGNED', 'SENT', 'PENDING'])
  expect((await service.client.post(`/api/v1/envelopes/${id}/cancel`)).status).toBe(204)
  expect(await states()).toEqual(['SIGNED', 'CANCELLED', 'CANCELLED'])
  expect((await eventsOf(id)).at(-1)).toBe('envelope.cancelled')
  expect((await service.client.post(`/api/v1/envelopes/${id}/send`)).body.code).toBe('ENVELOPE_ALREADY_SENT')
  for (const { token } of tokens) expect((await signer(token).open()).status).toBe(404)
})

// requirements: decisions/links/link life
test("a later signer's link lifetime starts with its email, and ends with the envelope at the latest", async () => {
  const expiresAt = new Date(Date.now() + 30 * 3_600_000).toISOString()
  const { id, tokens } = await aSentEnvelope(service.client, {
    signers: [ADA, BEN],
    sequentialSigning: true,
    linkTtlHours: 20,
    expiresAt,
  })
  expect(tokens.map(({ expiresAt }) => expiresAt)).toEqual([DATE_TIME, null])
  await service.database.moveClock(15 * 3_600)
  const ada = signer(tokens[0]!.token)
  await ada.viewOpened()
  await ada.sign()
  const links = await service.database.owner`select expires_at from signing_links where envelope_id = ${id} order by released_at`
  await service.database.moveClock(0)
  expect(links[1]!['expiresAt'].toISOString()).toBe(expiresAt)
})

// requirements: decisions/completion/id, decisions/completion/valid only when
test('the public check names one signature each, and needs no token', async () => {
  const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
  for (const { token } of tokens) await signer(token).viewOpened()
  await signer(tokens[0]!.token).sign()
  await Promise.all([signer(tokens[1]!.token).sign(), sealWhenDue(id)])
  const signatures = await service.database.owner`
    select g.id, s.email from signatures g join signers s on s.id = g.signer_id where g.envelope_id = ${id}`
  for (const { id: signatureId, email } of signatures) {
    const h = service.api.keys.verificationCode(signatureId)
    const { body } = await clientWithToken(service.url).get(`/api/v1/verify?id=${signatureId}&h=${h}`)
    expect(body).toMatchObject({ valid: true, envelopeId: id, signerEmail: email })
  }
})

// requirements: decisions/links/signedDocumentUrls
test('the last signer waits at most three seconds for a missing seal', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  const ada = signer(tokens[0]!.token)
  await ada.viewOpened()
  const startedAt = performance.now()
  const { status, body } = await ada.sign()
  expect(performance.now() - startedAt).toBeGreaterThan(2_900)
  expect([status, body.completed, body.signedDocumentUrls]).toEqual([200, true, {}])
  expect(await statusOf(id)).toBe('COMPLETED')
  expect((await ada.signedCopy()).body).toMatchObject({ signedDocumentsReady: false, documents: [] })
})

// requirements: decisions/links/dead code, decisions/smaller/paused link
test('a blocked code is reported until the cooldown ends; then a new one is issued', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
  const ada = signer(tokens[0]!.token)
  const { body: challenge } = await ada.requestOtp()
  for (let tries = 0; tries < 5; tries++) await ada.verifyOtp(challenge.challengeId, 'wrong')
  expect((await ada.requestOtp()).body).toMatchObject({ codeUnusable: true, challengeId: null, resent: false })
  const dead = await ada.verifyOtp(challenge.challengeId, 'again')
  expect([dead.status, dead.body.verified]).toEqual([200, false])
  await service.database.moveClock(61)
  expect((await ada.requestOtp()).body).toMatchObject({ codeUnusable: false, challengeId: expect.any(String), resent: true })
  await service.database.moveClock(0)
})

// requirements: decisions/smaller/paused link
test('a paused link accepts no code in any form, and no signature', async () => {
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
  const ada = signer(tokens[0]!.token)
  const { body: challenge } = await ada.requestOtp()
  await service.database.owner`
    insert into otp_failures (org_id, signer_id) select ${service.organisation.orgId}, ${tokens[0]!.signerId} from generate_series(1, 14)`
  expect((await ada.verifyOtp(challenge.challengeId, 'wrong')).body).toMatchObject({ verified: false, triesLeft: 0 })
  for (const answer of [
    await ada.requestOtp(),
    await ada.verifyOtp(challenge.challengeId, '123456'),
    await ada.sign({ challengeId: challenge.challengeId, otpCode: '123456' }),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([429, 'OTP_PAUSED'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_500)
  }
})

// requirements: decisions/links/signing token
test('a malformed token is answered without a query', async () => {
  const asked = Object.assign(() => Promise.reject(new Error('asked')), { begin: () => Promise.reject(new Error('asked')) })
  const core = { ...service.api, database: asked as unknown as typeof service.api.database }
  for (const token of ['', 'short', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}+`, `${'A'.repeat(42)}=`]) {
    await expect(openLink(core, token, 'en')).rejects.toMatchObject({ code: 'SIGNING_LINK_NOT_FOUND' })
  }
  await expect(openLink(core, 'A'.repeat(43), 'en')).rejects.toThrow('asked')
})
