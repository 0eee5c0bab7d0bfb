import { pruneHistory } from '#core/installation/prune-history.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aDraftRow, aMailRow, anOrganisation, type Organisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

const DAY = 86_400
let database: TestDatabase
let organisation: Organisation

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.moveClock(0)
  for (const table of [
    'mails',
    'events',
    'outbox',
    'mirror_changes',
    'quota_windows',
    'otp_challenges',
    'otp_failures',
    'document_views',
  ])
    await database.owner.unsafe(`delete from ${table}`)
  organisation = await anOrganisation(database.system)
})
afterAll(() => database[Symbol.asyncDispose]())

const prune = () => pruneHistory({ database: database.system, settings: { webhookHistorySeconds: 88 * DAY } })
const count = async (table: string) => (await database.owner.unsafe(`select from ${table}`)).length

test.each([
  ['DONE', 90, true],
  ['DONE', 89, false],
  ['DROPPED', 90, true],
  ['DEAD', 90, true],
  ['WAITING', 400, false],
  ['HELD', 400, false],
])('a mail that is %s is looked at after %d days: gone %s', async (state, days, gone) => {
  const id = await aMailRow(database.system, organisation, await aDraftRow(database.system, organisation))
  const wiped = ['DONE', 'DROPPED'].includes(state)
  await database.owner`update mails set state = ${state}, secret_box = case when ${wiped} then null else secret_box end where id = ${id}`
  await database.moveClock(days * DAY)
  expect([await prune(), await count('mails')]).toEqual(gone ? [1, 0] : [0, 1])
})

test('a message is deleted a day after it was published, and stays before', async () => {
  const { orgId } = organisation
  for (const published of ['now()', 'null'])
    await database.owner.unsafe(
      `insert into outbox (org_id, subject, body, published_at) values ('${orgId}', 'sealwright.mail.requested', '{}', ${published})`,
    )
  await database.moveClock(DAY - 60)
  expect(await prune()).toBe(0)
  await database.moveClock(DAY + 60)
  expect([await prune(), await count('outbox')]).toEqual([1, 1])
})

test('a change that no controller reads is deleted after a day, and stays before', async () => {
  await database.owner`
    insert into mirror_changes (kind, id, seq, changed_at)
    select 'WEBHOOK', gen_random_uuid(), hours, sealwright_now() - make_interval(hours => hours) from unnest(array[23, 25]) hours`
  expect([await prune(), await count('mirror_changes')]).toEqual([1, 1])
})

test('an event is deleted after 90 days, and stays while it is held', async () => {
  const { orgId } = organisation
  for (const released of ['now()', 'null'])
    await database.owner.unsafe(
      `insert into events (org_id, id, envelope_id, type, body, released_at)
       values ('${orgId}', gen_random_uuid(), gen_random_uuid(), 'envelope.completed', '{}', ${released})`,
    )
  await database.moveClock(90 * DAY - 60)
  expect(await prune()).toBe(0)
  await database.moveClock(90 * DAY + 60)
  expect([await prune(), await count('events')]).toEqual([1, 1])
})

test('a quota window is deleted two days after it began, and the current one stays', async () => {
  const { orgId } = organisation
  for (const age of ['49 hours', '47 hours', '0 hours'])
    await database.owner`
      insert into quota_windows values (${orgId}, 'EMAILS_PER_HOUR', date_trunc('hour', now()) - ${age}::text::interval, 1)`
  expect([await prune(), await count('quota_windows')]).toEqual([1, 2])
})

describe('codes, wrong codes and views', () => {
  async function ceremony(): Promise<string> {
    const envelopeId = await aDraftRow(database.system, organisation)
    await aMailRow(database.system, organisation, envelopeId)
    const [link] = await database.owner`select signer_id from signing_links where envelope_id = ${envelopeId}`
    const { orgId } = organisation
    const signerId = link!['signerId']
    await database.owner`insert into otp_challenges (org_id, id, signer_id, code_hmac, expires_at) values (${orgId}, gen_random_uuid(), ${signerId}, '', now())`
    await database.owner`insert into otp_failures (org_id, signer_id) values (${orgId}, ${signerId})`
    await database.owner`insert into document_views (org_id, id, signer_id) values (${orgId}, gen_random_uuid(), ${signerId})`
    return envelopeId
  }

  test('are deleted a day after their envelope has ended, and stay while it is open', async () => {
    const ended = await ceremony()
    await ceremony()
    await database.owner`update envelopes set status = 'CANCELLED', drops_at = null, ended_at = sealwright_now() where id = ${ended}`
    await database.moveClock(DAY - 60)
    expect(await prune()).toBe(0)
    await database.moveClock(400 * DAY)
    await database.owner`delete from mails`
    expect(await prune()).toBe(3)
    expect(await Promise.all(['otp_challenges', 'otp_failures', 'document_views'].map(count))).toEqual([1, 1, 1])
  })
})

test('works in batches of 1,000', async () => {
  const { orgId } = organisation
  await database.owner`
    insert into outbox (org_id, subject, body, published_at)
    select ${orgId}, 'sealwright.mail.requested', '{}', now() - interval '2 days' from generate_series(1, 1005)`
  expect([await prune(), await prune(), await prune()]).toEqual([1_000, 5, 0])
})
