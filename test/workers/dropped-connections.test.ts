// A mail server that disconnects during an email: on one email, which is not retried forever, or on all, which no email pays for.
import { listJobs } from '#core/work/list-jobs.ts'
import { retryJobs } from '#core/work/retry-jobs.ts'
import { MAIL_WORK } from '#core/mail/mail-job.ts'
import type { MailTransport } from '#core/mail/mail-transport.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { openSmtp } from '#core/mail/smtp.ts'
import { monitorSmtp } from '#core/mail/monitored-smtp.ts'
import { MAX_MAIL_FAILURES } from '#core/limits.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aSentEnvelope } from '../support/builders/envelopes.ts'
import { type SmtpSink, startSmtpSink } from '../support/servers/smtp-sink.ts'
import { type TestService, testService } from '../support/servers/test-service.ts'
import { timesOf } from '../support/judges/times-of.ts'

/** Longer than any retry delay of an email. */
const ROUND_SECONDS = 7_200
const FILTERED = 'filtered@example.test'

let ending: AsyncDisposableStack
let service: TestService
let sink: SmtpSink
let transport: MailTransport

beforeEach(async () => {
  ending = new AsyncDisposableStack()
  service = ending.use(await testService())
  sink = await startSmtpSink()
  ending.defer(() => sink.close())
  transport = monitorSmtp(openSmtp(`smtp://127.0.0.1:${sink.port}`, 'sign@example.test'), service.system.log)
  ending.defer(() => transport.close())
})
afterEach(() => ending.disposeAsync())

/** One email each, due shortly before this round. */
async function mailTo(...mails: readonly { address: string; round: number }[]): Promise<void> {
  const signers = mails.map(({ address }) => ({ email: address, name: 'Signer' }))
  await aSentEnvelope(service.client, { linkTtlHours: 2_000, signers })
  for (const { address, round } of mails)
    await service.database.owner`
      update mails set due_at = sealwright_now() + make_interval(secs => ${(round - 0.5) * ROUND_SECONDS})
      where signer_id = (select id from signers where email = ${address})`
}

/** Sends what is due in each of these rounds, whatever the server does. */
async function sendInRounds(rounds: { from: number; to: number }): Promise<void> {
  for (let round = rounds.from; round <= rounds.to; round++) {
    await service.database.moveClock(round * ROUND_SECONDS)
    do await vi.waitFor(() => expect(transport.mayTry()).toBe(true), 10_000)
    while (await sendNextMail(service.system, transport))
  }
}

const failuresOf = (address: string) => service.database.owner`
  select state, failures from mails where signer_id = (select id from signers where email = ${address})`
const arrivedAt = () => sink.received.flatMap(({ recipients }) => recipients)

test('one that it rejects like this while it accepts others is dead-lettered after twelve attempts, and sent when it is retried', async () => {
  sink.hangsUpOn = (address) => address === FILTERED
  const others = Array.from({ length: MAX_MAIL_FAILURES }, (_, n) => `other-${n}@example.test`)
  await mailTo({ address: FILTERED, round: 1 }, ...others.map((address, n) => ({ address, round: n + 1 })))
  await sendInRounds({ from: 1, to: MAX_MAIL_FAILURES })
  expect(arrivedAt()).toEqual(others)
  // At its first attempt the server had not accepted any email yet.
  expect(await failuresOf(FILTERED)).toEqual([{ state: 'WAITING', failures: MAX_MAIL_FAILURES - 1 }])
  await sendInRounds({ from: MAX_MAIL_FAILURES + 1, to: MAX_MAIL_FAILURES + 1 })
  const stuck = await listJobs(service.system, MAIL_WORK, { stuck: true })
  expect(stuck).toMatchObject([{ state: 'stuck', lastError: 'DATA: ECONNECTION: Connection closed unexpectedly' }])
  expect(await service.readLog()).toMatch(/"isDead":true.*"job\.failed"/)
  sink.hangsUpOn = () => false
  expect(await retryJobs(service.system, MAIL_WORK, 'all', async () => {})).toBe(1)
  await sendInRounds({ from: MAX_MAIL_FAILURES + 2, to: MAX_MAIL_FAILURES + 2 })
  expect(arrivedAt()).toEqual([...others, FILTERED])
})

test('none is dead-lettered while it drops all of them, however long that lasts, and all are sent afterwards', async () => {
  const addresses = ['one@example.test', 'two@example.test']
  await mailTo({ address: 'before@example.test', round: 1 }, ...addresses.map((address) => ({ address, round: 2 })))
  await sendInRounds({ from: 1, to: 1 })
  sink.hangsUpOn = () => true
  await sendInRounds({ from: 2, to: MAX_MAIL_FAILURES + 2 })
  const rows = (await Promise.all(addresses.map(failuresOf))).flat()
  expect(rows.map((row) => row['state'])).toEqual(['WAITING', 'WAITING'])
  // The first of them looked like the only one.
  expect(rows.reduce((sum, row) => sum + row['failures'], 0)).toBe(1)
  sink.hangsUpOn = () => false
  await sendInRounds({ from: MAX_MAIL_FAILURES + 3, to: MAX_MAIL_FAILURES + 3 })
  expect(timesOf(arrivedAt())).toEqual(timesOf(['before@example.test', ...addresses]))
})
