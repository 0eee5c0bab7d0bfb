// The age of the oldest job, regardless of failed attempts: operators alert on it.
import { leaseDueJob, recordFailure } from '#core/work/job-store.ts'
import { retryJobs } from '#core/work/retry-jobs.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import { measureQueue } from '#core/work/queue-age-store.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ApiClient } from '../support/clients/api-client.ts'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'

const MINUTES = 60
const HOURS = 3_600
const AWAY: MailTransport = {
  send: async () => ({ outcome: 'unreachable', error: 'no' }),
  lastError: () => undefined,
  mayTry: () => true,
  close: async () => {},
}

let service: TestService
let client: ApiClient

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_QUOTA_EMAILS_PER_HOUR: '2' })
})
beforeEach(async () => {
  await service.database.owner`delete from mails`
  await service.database.owner`delete from seal_jobs`
  await service.database.owner`delete from quota_windows`
  await moveToMinute(0)
  client = (await service.anotherOrganisation()).client
})
afterAll(() => service[Symbol.asyncDispose]())

/** Counted from the beginning of an hour. */
async function moveToMinute(minute: number): Promise<void> {
  const now = Date.now() / 1_000
  await service.database.moveClock(Math.floor(now / HOURS) * HOURS - now + minute * MINUTES)
}

/** In whole minutes. */
async function ageOf(wanted: 'seal' | 'mail'): Promise<number> {
  const { oldestSeconds } = await measureQueue(service.system.database, wanted === 'seal' ? SEAL_WORK : MAIL_WORK)
  return Math.round(oldestSeconds / MINUTES)
}

test('a seal that keeps failing ages, also when it is retried', async () => {
  const { id, tokens } = await aSentEnvelope(client, { signers: [ADA] })
  await signAs(service, tokens[0]!.token)
  for (let minute = 1; minute <= 5; minute++) {
    await moveToMinute(minute)
    const leased = await leaseDueJob(service.system.database, SEAL_WORK, 10)
    const failed = { error: 'the store is away', delaySeconds: 15, isDead: false, isTransient: true }
    await recordFailure(service.system.database, SEAL_WORK, leased!, failed)
    expect(await ageOf('seal')).toBe(minute)
  }
  await retryJobs(service.system, SEAL_WORK, { id }, async () => {})
  expect(await ageOf('seal')).toBe(5)
})

test('an email that no server accepts ages', async () => {
  await aSentEnvelope(client, { signers: [ADA] })
  for (const minute of [10, 20, 30]) {
    await moveToMinute(minute)
    await sendNextMail(service.system, AWAY)
    expect(await ageOf('mail')).toBe(minute)
  }
})

test("a held link is as old as its signer's turn", async () => {
  const { tokens } = await aSentEnvelope(client, { signers: [ADA, BEN], sequentialSigning: true })
  await service.sendMails()
  await moveToMinute(20)
  expect(await ageOf('mail')).toBe(0)
  await signAs(service, tokens[0]!.token)
  await moveToMinute(25)
  await sendNextMail(service.system, AWAY)
  expect(await ageOf('mail')).toBe(5)
})

test('copies over the quota have no age before their hour', async () => {
  const { tokens } = await aSentEnvelope(client, { signers: [ADA, BEN] })
  for (const { token } of tokens) await signAs(service, token)
  await service.sendMails()
  await service.sealEnvelopes()
  await moveToMinute(50)
  expect(await measureQueue(service.system.database, MAIL_WORK)).toEqual({
    kind: 'mail',
    role: 'mail',
    waiting: 2,
    deadLettered: 0,
    oldestSeconds: 0,
    secondsOfWork: 0,
  })
  await moveToMinute(70)
  await sendNextMail(service.system, AWAY)
  expect(await ageOf('mail')).toBe(10)
})
