// Non-default settings take effect.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { clientWithToken } from '../support/clients/api-client.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { realFile } from '../support/builders/pdf-fixtures.ts'
import { onePage } from '../support/hostile/hostile-pdfs.ts'
import { signer as signerAt } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService

// All shorter than the defaults, but far longer than a test takes.
beforeAll(async () => {
  service = await testService({
    SEALWRIGHT_ACCESS_TOKEN_TTL: '120s',
    SEALWRIGHT_PRESIGNED_URL_TTL: '200s',
    SEALWRIGHT_SIGNING_LINK_TTL: '1h',
    SEALWRIGHT_VIEW_DEDUP_WINDOW: '20s',
    SEALWRIGHT_OTP_TTL: '300s',
    SEALWRIGHT_OTP_RESEND_COOLDOWN: '40s',
    SEALWRIGHT_OTP_MAX_TRIES: '2',
    SEALWRIGHT_REFUSE_ACTIVE_CONTENT: 'false',
    SEALWRIGHT_REPAIR_DOCUMENTS: 'false',
  })
})
afterEach(() => service.database.moveClock(0))
afterAll(() => service[Symbol.asyncDispose]())

const signer = (token: string) => signerAt(service.url, token)

/** Ada and Ben at their links, each with an emailed code; only this test uses their addresses. */
async function twoWithCodes() {
  const signers = [ADA, BEN].map((person) => ({ ...person, email: `${randomUUID()}@example.test` }))
  const { tokens } = await aSentEnvelope(service.client, { otpRequired: true, signers })
  const people = tokens.map(({ token, email }) => ({ ...signer(token), email }))
  const challenges = await Promise.all(people.map((each) => each.requestOtp()))
  await service.sendMails()
  const mails = await service.mails.list()
  const asked = people.map((each, index) => {
    const code = /\b\d{6}\b/.exec(mails.find(({ to }) => to === each.email)!.text)![0]
    return { ...each, code, challenge: challenges[index]!.body }
  })
  return asked as [(typeof asked)[0], (typeof asked)[0]]
}

// requirements: running/settings/access token life
test('an access token has the configured lifetime', async () => {
  const { clientId, clientSecret } = service.organisation
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret })
  const anyone = clientWithToken(service.url)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const { body } = await anyone.send('POST', '/oauth2/token', { body: form.toString(), headers })
  expect(body.expires_in).toBe(120)
  const client = clientWithToken(service.url, body.access_token)
  await service.database.moveClock(90)
  expect((await client.get('/api/v1/workspaces')).status).toBe(200)
  await service.database.moveClock(126)
  expect((await client.get('/api/v1/workspaces')).status).toBe(401)
})

// requirements: running/settings/presigned URL life
test('a download link has the configured lifetime', async () => {
  const { tokens } = await aSentEnvelope(service.client)
  const { body } = await signer(tokens[0]!.token).open()
  const url: string = body.documents[0].downloadUrl
  await service.database.moveClock(170)
  expect((await fetch(url)).status).toBe(200)
  await service.database.moveClock(201)
  expect((await fetch(url)).status).toBe(404)
})

// requirements: running/settings/link life, least expiry, expiry sweep
test('a signing link has the configured lifetime unless the envelope sets one', async () => {
  const { tokens } = await aSentEnvelope(service.client)
  const ada = signer(tokens[0]!.token)
  await service.database.moveClock(3_570)
  expect((await ada.open()).status).toBe(200)
  await service.database.moveClock(3_601)
  expect((await ada.open()).status).toBe(404)
})

// requirements: running/settings/view dedup window
test('a second view counts after the configured window', async () => {
  const { id, tokens } = await aSentEnvelope(service.client)
  const ada = signer(tokens[0]!.token)
  const opened = async () => {
    await ada.viewOpened()
    return (await service.database.owner`select 1 from audit_events where envelope_id = ${id} and action = 'document.opened'`)
      .length
  }
  expect([await opened(), await opened()]).toEqual([1, 1])
  await service.database.moveClock(21)
  expect(await opened()).toBe(2)
})

// requirements: running/settings/OTP
test('a code has the configured lifetime', async () => {
  const [ada, ben] = await twoWithCodes()
  expect(ada.challenge.expiresInSeconds).toBe(300)
  await service.database.moveClock(270)
  expect((await ada.verifyOtp(ada.challenge.challengeId, ada.code)).body.verified).toBe(true)
  await service.database.moveClock(301)
  expect((await ben.verifyOtp(ben.challenge.challengeId, ben.code)).body.verified).toBe(false)
})

// requirements: running/settings/OTP
test('a code is blocked at the configured number of wrong attempts', async () => {
  const [ada, ben] = await twoWithCodes()
  await ada.verifyOtp(ada.challenge.challengeId, 'wrong')
  expect((await ada.verifyOtp(ada.challenge.challengeId, ada.code)).body.verified).toBe(true)
  for (let tries = 0; tries < 2; tries++) await ben.verifyOtp(ben.challenge.challengeId, 'wrong')
  expect((await ben.verifyOtp(ben.challenge.challengeId, ben.code)).body.verified).toBe(false)
})

// requirements: running/settings/OTP
test('a new code is emailed after the configured cooldown', async () => {
  const [ada] = await twoWithCodes()
  expect(ada.challenge.resendAvailableInSeconds).toBe(40)
  const { body: again } = await ada.requestOtp()
  expect(again.resent).toBe(false)
  expect(again.resendAvailableInSeconds).toBeLessThanOrEqual(40)
  await service.database.moveClock(41)
  expect((await ada.requestOtp()).body.resent).toBe(true)
})

test('an irregular file is refused when documents must not be repaired', async () => {
  const pdf = await readFile(realFile('03-size-one-too-small'))
  expect(await service.client.upload('/api/v1/documents', pdf)).toMatchObject({
    status: 422,
    body: {
      code: 'DOCUMENT_INVALID',
      message: 'The document is not a readable PDF: its trailer counts too few objects. Open it and save it again as PDF.',
    },
  })
})

test('a document with a script is accepted when active content is allowed', async () => {
  const pdf = onePage({ catalog: '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>' })
  expect((await service.client.upload('/api/v1/documents', pdf)).status).toBe(201)
})
