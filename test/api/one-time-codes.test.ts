import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { secondReplica } from '../support/servers/second-replica.ts'
import { signerStatuses } from '../support/judges/signer-statuses.ts'
import { signer as signerAt } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'
import { rateLimitHeaders } from '../support/judges/rate-limit-headers.ts'

let service: TestService

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())

const signersOf = (id: string) => signerStatuses(service, id)
const signer = (token: string) => signerAt(service.url, token)

async function mailedCode(): Promise<string> {
  await service.sendMails()
  const [mail] = await service.mails.list()
  return /\b\d{6}\b/.exec(mail?.text ?? '')![0]
}

describe('one-time codes', () => {
  // requirements: service-api/ceremony/OTP challenge, service-api/signing/request OTP, service-api/signing/verify OTP, decisions/links/OTP, decisions/links/permission after success, decisions/links/signer.viewed, decisions/smaller/code still owed, decisions/smaller/view-opened before the code
  test('documents are hidden until the emailed code is entered, and then visible for 30 minutes', async () => {
    const { id, tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    expect((await ada.open()).body).toMatchObject({ requiresOtp: true, documents: [] })
    expect((await ada.viewOpened()).body.code).toBe('OTP_REQUIRED')
    const { status, body: challenge } = await ada.requestOtp()
    expect(status).toBe(200)
    expect(challenge).toEqual({
      challengeId: expect.any(String),
      codeUnusable: false,
      expiresInSeconds: 600,
      resendAvailableInSeconds: 60,
      resent: true,
      message: expect.any(String),
    })
    const code = await mailedCode()
    expect((await ada.verifyOtp(challenge.challengeId, code)).body).toMatchObject({ verified: true })
    expect((await ada.open()).body).toMatchObject({ requiresOtp: false, documents: [{ filename: 'document.pdf' }] })
    expect(await signersOf(id)).toEqual(['VIEWED'])
    await service.database.moveClock(1_801)
    expect((await ada.open()).body).toMatchObject({ requiresOtp: true, documents: [] })
    await service.database.moveClock(0)
  })

  test('a code works once', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    const { body: challenge } = await ada.requestOtp()
    const code = await mailedCode()
    await ada.verifyOtp(challenge.challengeId, code)
    expect((await ada.verifyOtp(challenge.challengeId, code)).body.verified).toBe(false)
  })

  // requirements: decisions/links/inside the cooldown, decisions/links/OTP
  test('during the cooldown the same challenge is returned and no email is sent', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    const { body: first } = await ada.requestOtp()
    const { body: second } = await ada.requestOtp()
    expect(second).toMatchObject({ challengeId: first.challengeId, resent: false, codeUnusable: false })
    expect(second.resendAvailableInSeconds).toBeLessThanOrEqual(60)
    await service.database.moveClock(61)
    const { body: third } = await ada.requestOtp()
    await service.database.moveClock(0)
    expect(third.resent).toBe(true)
    expect(third.challengeId).not.toBe(first.challengeId)
  })

  // requirements: decisions/links/OTP, decisions/links/dead code, decisions/links/wrong code
  test('five wrong attempts block a code until the cooldown ends', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    const { body: challenge } = await ada.requestOtp()
    const code = await mailedCode()
    const wrong = code === '000000' ? '000001' : '000000'
    for (const triesLeft of [4, 3, 2, 1, 0])
      expect((await ada.verifyOtp(challenge.challengeId, wrong)).body).toMatchObject({ verified: false, triesLeft })
    expect((await ada.verifyOtp(challenge.challengeId, code)).body).toMatchObject({ verified: false, triesLeft: 0 })
    expect((await ada.requestOtp()).body).toMatchObject({
      codeUnusable: true,
      challengeId: null,
      resent: false,
      expiresInSeconds: 0,
    })
  })

  // requirements: decisions/links/OTP
  test('a code expires after 600 s', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    const { body: challenge } = await ada.requestOtp()
    const code = await mailedCode()
    await service.database.moveClock(601)
    expect((await ada.verifyOtp(challenge.challengeId, code)).body.verified).toBe(false)
    await service.database.moveClock(0)
  })

  // requirements: decisions/links/OTP
  test('a sixth code within an hour is rejected with the time when the next is allowed', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    for (let i = 0; i < 5; i++) {
      await service.database.moveClock(i * 61)
      expect((await ada.requestOtp()).body.resent).toBe(true)
    }
    await service.database.moveClock(5 * 61)
    const { status, body, headers } = await ada.requestOtp()
    await service.database.moveClock(0)
    expect([status, body.code]).toEqual([429, 'OTP_SEND_LIMIT'])
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThan(3_000)
    expect(rateLimitHeaders(headers)['codes-per-hour']).toEqual({ policy: 'q=5;w=3600', state: `r=0;t=${wait}` })
  })

  // requirements: decisions/token/quota dimensions
  test('a code uses the email quota: after the last one of this hour, none is sent', async () => {
    // Counts restart every hour, so the test must not cross its end.
    const halfPast = new Date().setUTCMinutes(30)
    await service.database.moveClock(Math.round((halfPast - Date.now()) / 1_000))
    const { client, organisation } = await service.anotherOrganisation()
    const { tokens } = await aSentEnvelope(client, { otpRequired: true, signers: [ADA, BEN] })
    await using replica = await secondReplica({ ...service.api, settings: { ...service.api.settings, quotaEmailsPerHour: 3 } })
    expect((await signerAt(replica.url, tokens[0]!.token).requestOtp()).body.resent).toBe(true)
    const refused = await signerAt(replica.url, tokens[1]!.token).requestOtp()
    await service.database.moveClock(0)
    expect([refused.status, refused.body.code, refused.body.quota]).toEqual([
      429,
      'QUOTA_EXCEEDED',
      { dimension: 'EMAILS_PER_HOUR', limit: 3, current: 3 },
    ])
    const challenges = await service.database.owner`select signer_id from otp_challenges where org_id = ${organisation.orgId}`
    expect(challenges.map((row) => row['signerId'])).toEqual([tokens[0]!.signerId])
  })

  // requirements: decisions/links/OTP, decisions/smaller/paused link
  test('fifteen failures within an hour pause the link', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    for (let round = 0; round < 3; round++) {
      await service.database.moveClock(round * 61)
      const { body: challenge } = await ada.requestOtp()
      for (let i = 0; i < 5; i++) await ada.verifyOtp(challenge.challengeId, 'wrong')
    }
    const { status, body, headers } = await ada.requestOtp()
    expect([status, body.code]).toEqual([429, 'OTP_PAUSED'])
    const wait = Number(headers.get('retry-after'))
    expect(wait).toBeGreaterThan(3_500)
    expect(rateLimitHeaders(headers)['wrong-codes']).toEqual({ policy: 'q=15;w=3600', state: `r=0;t=${wait}` })
    await service.database.moveClock(4_000)
    expect((await ada.requestOtp()).body.resent).toBe(true)
    await service.database.moveClock(0)
  })

  test("concurrent guesses share a code's five attempts", async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    const { body: challenge } = await ada.requestOtp()
    await Promise.all(Array.from({ length: 40 }, (_, i) => ada.verifyOtp(challenge.challengeId, `guess${i}`)))
    const [row] = await service.database.owner`select tries from otp_challenges where id = ${challenge.challengeId}`
    expect(row!['tries']).toBe(5)
  })

  // requirements: decisions/links/wrong code
  test("another link's challenge is not found", async () => {
    const first = await aSentEnvelope(service.client, { otpRequired: true })
    const second = await aSentEnvelope(service.client, { otpRequired: true })
    const { body: challenge } = await signer(first.tokens[0]!.token).requestOtp()
    const { status, body } = await signer(second.tokens[0]!.token).verifyOtp(challenge.challengeId, '123456')
    expect([status, body.code]).toEqual([404, 'OTP_CHALLENGE_NOT_FOUND'])
  })

  // requirements: decisions/links/request-otp without otpRequired
  test('an envelope without codes issues none', async () => {
    const { tokens } = await aSentEnvelope(service.client)
    const { status, body } = await signer(tokens[0]!.token).requestOtp()
    expect([status, body.code]).toEqual([422, 'OTP_NOT_REQUIRED'])
  })

  // requirements: decisions/links/OTP at rest
  test('no table and no log contains the code in plain text', async () => {
    const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
    const ada = signer(tokens[0]!.token)
    await ada.requestOtp()
    const code = await mailedCode()
    const [rows] = await service.database.owner`
      select (select json_agg(m) from mails m)::text || (select json_agg(c) from otp_challenges c)::text || (select json_agg(a) from audit_events a)::text as dump`
    expect(rows!['dump']).not.toContain(`"${code}"`)
    expect(await service.readLog()).not.toContain(tokens[0]!.token)
  })
})
