// Emails that cannot be sent: each has its own limit of attempts, and server outages do not count.
import { MAX_LOST_ATTEMPTS } from '#core/limits.ts'
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import { leaseDueJob } from '#core/work/job-store.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import type { MailTransport, RenderedMail, SendOutcome } from '#core/mail/mail-transport.ts'
import { register } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'

const HOUR_SECONDS = 3_600

let service: TestService
let hours = 0

beforeAll(async () => {
  service = await testService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  hours = 0
  await service.database.moveClock(0)
  await service.database.owner`delete from mails`
  await aSentEnvelope(service.client, { linkTtlHours: 2_000 })
})

/** Answers this for every email. */
function transport(outcome: SendOutcome, fault?: string): MailTransport & { sent: string[] } {
  const sent: string[] = []
  return {
    sent,
    async send({ id }) {
      sent.push(id)
      return outcome
    },
    lastError: () => fault,
    mayTry: () => fault === undefined,
    async close() {},
  }
}

const theMail = async () =>
  (
    await service.database.owner`
    select id, state, attempts, extract(epoch from due_at - sealwright_now())::int as due_in_seconds, secret_box is null as wiped from mails`
  )[0]

/** Attempts the email this many times, an hour apart. */
async function tryHourly(times: number, through: MailTransport): Promise<void> {
  for (let tries = 0; tries < times; tries++) {
    await service.database.moveClock(++hours * HOUR_SECONDS)
    await sendNextMail(service.system, through)
  }
}

async function deliveriesOf(outcome: string): Promise<number> {
  const metric = await register.getSingleMetric('sealwright_smtp_deliveries_total')?.get()
  return metric?.values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
}

/** From the request to the server's acceptance, of all emails so far. */
async function mailDelays() {
  const metric = await register.getSingleMetric('sealwright_work_delay_seconds')?.get()
  const valueOf = (end: string) =>
    metric?.values.find(
      (value) => 'metricName' in value && String(value.metricName).endsWith(end) && value.labels['kind'] === 'mail',
    )?.value ?? 0
  return { count: valueOf('_count'), hours: Math.round(valueOf('_sum') / HOUR_SECONDS) }
}

test.each(['unreachable', 'denied'] as const)(
  'one that a server which is %s did not take waits as long as it takes',
  async (outcome) => {
    const before = await deliveriesOf(outcome)
    const through = transport({ outcome, error: 'no' })
    await tryHourly(20, through)
    expect(await theMail()).toMatchObject({ state: 'WAITING', attempts: 20, wiped: false })
    // Soon after the server works again.
    expect((await theMail())?.['dueInSeconds']).toBeLessThanOrEqual(300)
    expect((await deliveriesOf(outcome)) - before).toBe(20)
    const recovered = transport({ outcome: 'accepted' })
    const delaysBefore = await mailDelays()
    await tryHourly(1, recovered)
    expect(await mailDelays()).toEqual({ count: delaysBefore.count + 1, hours: delaysBefore.hours + 21 })
    expect(await theMail()).toMatchObject({ state: 'DONE', wiped: true })
    // Under the id that gives the same Message-ID each time.
    expect(new Set([...through.sent, ...recovered.sent]).size).toBe(1)
  },
)

test('one that is deferred is attempted twelve times, and then dead-lettered', async () => {
  const through = transport({ outcome: 'delayed', error: 'later' })
  await tryHourly(1, through)
  expect((await theMail())?.['dueInSeconds']).toBe(5)
  await tryHourly(10, through)
  expect(await theMail()).toMatchObject({ state: 'WAITING', attempts: 11 })
  await tryHourly(5, through)
  expect(await theMail()).toMatchObject({ state: 'DEAD', attempts: 12 })
})

test('one that a server accepted again and deferred still has all its attempts', async () => {
  await tryHourly(20, transport({ outcome: 'denied', error: 'no' }))
  const through = transport({ outcome: 'delayed', error: 'later' })
  await tryHourly(1, through)
  expect(await theMail()).toMatchObject({ state: 'WAITING', dueInSeconds: 5 })
  await tryHourly(10, through)
  expect(await theMail()).toMatchObject({ state: 'WAITING' })
  await tryHourly(1, through)
  expect(await theMail()).toMatchObject({ state: 'DEAD' })
})

test('one whose workers are lost during it, again and again, is dead-lettered without another attempt', async () => {
  for (let lost = 0; lost < MAX_LOST_ATTEMPTS; lost++) {
    await service.database.moveClock(lost * 60)
    expect(await leaseDueJob(service.system.database, MAIL_WORK, 30)).toBeDefined()
  }
  await service.database.moveClock(MAX_LOST_ATTEMPTS * 60)
  const through = transport({ outcome: 'accepted' })
  expect(await sendNextMail(service.system, through)).toBe(true)
  expect(through.sent).toEqual([])
  expect(await theMail()).toMatchObject({ state: 'DEAD', attempts: MAX_LOST_ATTEMPTS + 1 })
  await service.database.moveClock(0)
})

test('one that is rejected is dead-lettered at once', async () => {
  await tryHourly(2, transport({ outcome: 'refused', error: 'no such user' }))
  expect(await theMail()).toMatchObject({ state: 'DEAD', attempts: 1 })
})

test("one that was sent is not sent again because its envelope's history cannot be written", async () => {
  const { owner } = service.database
  // As after a manual change of the database: the next row of the history already exists.
  await owner`alter table audit_heads disable trigger all`
  await owner`
    update audit_heads set seq = seq - 1, ledgered_seq = 0, pending_at = now()
    where envelope_id = (select envelope_id from mails)`
  await owner`alter table audit_heads enable trigger all`
  const accepting = transport({ outcome: 'accepted' })
  await tryHourly(3, accepting)
  expect(accepting.sent).toHaveLength(1)
  expect(await theMail()).toMatchObject({ state: 'DONE', wiped: true })
  expect(await service.readLog()).toContain('mail.audit_failed')
})

test('none is taken up while the server is known to take none', async () => {
  const through = transport({ outcome: 'accepted' }, 'SEALWRIGHT_SMTP_URL: the server does not accept emails.')
  expect(await sendNextMail(service.system, through)).toBe(false)
  expect(through.sent).toEqual([])
  expect(await theMail()).toMatchObject({ state: 'WAITING', attempts: 0 })
})

// requirements: decisions/smaller/language of emails
test('is written in the language that its organisation has when it is sent', async () => {
  const { owner } = service.database
  const subjects: string[] = []
  const mailbox = { ...transport({ outcome: 'accepted' }), send: async ({ subject }: RenderedMail) => accept(subjects, subject) }
  await sendNextMail(service.system, mailbox)
  await owner`update organisations set locale = 'de'`
  await aSentEnvelope(service.client)
  await sendNextMail(service.system, mailbox)
  await owner`update organisations set locale = 'en'`
  expect(subjects).toEqual([
    expect.stringMatching(/^Test organisation asks you to sign: /),
    expect.stringMatching(/^Test organisation bittet Sie um Ihre Unterschrift: /),
  ])
})

function accept(subjects: string[], subject: string): SendOutcome {
  subjects.push(subject)
  return { outcome: 'accepted' }
}
