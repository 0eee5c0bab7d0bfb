// The Postgres statements of a relay round, an email and a seal, by table and round trip, so that no increase goes unnoticed: every
// envelope costs several. Their number does not depend on the signers.
import type { Notifier } from '#core/messaging/notifier.ts'
import type { SystemCore } from '#core/context.ts'
import type { EnvelopeId } from '#core/ids.ts'
import { makeNextReport } from '#core/audit-report/make-next-report.ts'
import type { ReportMakers } from '#core/audit-report/make-report.ts'
import { sendNextMail } from '#core/mail/send-next-mail.ts'
import { relayOutbox } from '#core/messaging/relay-outbox.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { roundTripsOf } from '../support/judges/round-trips.ts'
import { signAs } from '../support/builders/signed-envelope.ts'
import { keyWorker } from '../support/builders/signing-keys.ts'
import { signer } from '../support/clients/signer.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

let service: TestService
/** One connection, which shows what is pipelined. */
let database: Database
let core: SystemCore
let makers: ReportMakers

beforeAll(async () => {
  service = await testService()
  database = openDatabase({ url: service.database.url, pool: 1, role: 'sealwright_system' })
  core = { ...service.system, database }
  const keys = await keyWorker(core)
  makers = { reports: service.reports, sealing: { ...service.sealing, keys } }
})
beforeEach(async () => {
  await service.sealEnvelopes()
  await service.sendMails()
  await service.database.owner`delete from outbox`
})
afterAll(async () => {
  await database.end()
  await service[Symbol.asyncDispose]()
})

/** Of the second run: the first prepares the statements. */
async function tripsOf(prepare: () => Promise<unknown>, work: () => Promise<unknown>): Promise<string[][]> {
  await prepare()
  await work()
  await prepare()
  return roundTripsOf(database, work)
}

/** Signed by both, not sealed; none of its emails waits. */
async function completed(): Promise<EnvelopeId> {
  const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN] })
  await service.sendMails()
  for (const { token } of tokens) await signAs(service, token)
  return id as EnvelopeId
}

const notifier: Notifier = { publish: async () => {}, next: async () => undefined }
const SENDS_AND_RECORDS = [
  ['from mails'], // the claim
  ['begin', 'from envelopes', 'update mails', 'join audit_heads'],
  ['insert into audit_events'],
  ['commit'],
]

test('a round of the relay', async () => {
  const { orgId } = service.organisation
  const rows = Array.from({ length: 20 }, (_, number) => ({
    orderKey: `envelope ${number}`,
    subject: 'sealwright.mail.requested' as const,
    body: {},
  }))
  const trips = await tripsOf(
    () => insertOutbox(service.database.system, orgId, ...rows),
    () => relayOutbox(core, notifier),
  )
  expect(trips).toEqual([['begin', 'from generate_series', 'update outbox'], ['commit']])
})

test('the mail of a signing link', async () => {
  const trips = await tripsOf(
    () => aSentEnvelope(service.client),
    () => sendNextMail(core, service.mails),
  )
  expect(trips).toEqual(SENDS_AND_RECORDS)
})

test('the mail of a code', async () => {
  const trips = await tripsOf(
    async () => {
      const { tokens } = await aSentEnvelope(service.client, { otpRequired: true })
      await service.sendMails()
      expect((await signer(service.url, tokens[0]!.token).requestOtp()).status).toBe(200)
    },
    () => sendNextMail(core, service.mails),
  )
  expect(trips).toEqual([['from mails'], ['update mails']])
})

test('a seal, and the mail of a copy', { timeout: 120_000 }, async () => {
  const seal = await tripsOf(completed, () => sealNextEnvelope(core, makers.sealing))
  expect(seal).toEqual([
    ['from seal_jobs'],
    [
      'from sealed_documents', // within the documents
      'from signers',
      'from audit_events',
      'from signing_keys',
    ],
    ['insert into sealed_documents'],
    ['begin', 'from envelopes', 'update sealed_documents', 'update seal_jobs', 'join audit_heads', 'update events'],
    [
      'insert into audit_reports',
      'insert into outbox',
      'insert into audit_events',
      'update signing_links',
      'insert into mails',
      'insert into outbox',
    ],
    ['from book_mails', 'commit'],
  ])
  const mail = await roundTripsOf(database, () => sendNextMail(core, service.mails))
  expect(mail).toEqual(SENDS_AND_RECORDS)
})

test('an audit report', async () => {
  await service.makeReports()
  const cancelled = async () => {
    const { id } = await aSentEnvelope(service.client)
    await service.client.post(`/api/v1/envelopes/${id}/cancel`)
  }
  expect(await tripsOf(cancelled, () => makeNextReport(core, makers))).toEqual([
    ['from audit_reports'],
    [
      'begin',
      'from envelopes',
      'from organisations',
      'from signers',
      'from documents',
      'from signers', // the drawn seals
      'from sealed_documents',
      'select', // the time
      'from audit_events',
      'from audit_heads',
    ],
    ['commit'],
    ['from signing_keys'], // on another connection, where there is one
    ['update audit_reports'],
    ['update audit_reports'],
  ])
})

test('a poll that finds nothing', async () => {
  const nothing = async () => {}
  expect(await tripsOf(nothing, () => sealNextEnvelope(core, makers.sealing))).toEqual([['from seal_jobs']])
  expect(await tripsOf(nothing, () => sendNextMail(core, service.mails))).toEqual([['from mails']])
  expect(await tripsOf(nothing, () => makeNextReport(core, makers))).toEqual([['from audit_reports']])
})
