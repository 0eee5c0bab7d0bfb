// Lists and counts compared with a naive implementation that checks every envelope.
import { randomUUID } from 'node:crypto'
import type { CredentialCaller } from '#core/context.ts'
import { countEnvelopes } from '#core/envelope/count-envelopes.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import { ENVELOPE_STATUSES, type EnvelopeStatus } from '#core/envelope/rules.ts'
import { countMatching, searchEnvelopes } from '#core/envelope/search.ts'
import { CredentialId, newId, OrgId, WorkspaceId } from '#core/ids.ts'
import { type Database, inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { fc, runs } from '../support/builders/properties.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldText } from '../support/judges/fold-text.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

interface Row {
  id: string
  workspaceId: WorkspaceId
  title: string
  status: EnvelopeStatus
  labels: Record<string, string>
  createdAt: Date
  lapsesAt: Date | null
  dropsAt: Date | null
}

const [orgId, credentialId] = [newId(OrgId), newId(CredentialId)]
const workspaces = Array.from({ length: 4 }, () => newId(WorkspaceId))
const origin = { address: null, userAgent: null }
const caller: CredentialCaller = { kind: 'credential', orgId, credentialId, clientId: 'x', origin }
const HOUR_MS = 3_600_000
const now = Date.now()

let database: TestDatabase
/** Newest first; at the same time, the greater id first. */
let rows: Row[]

beforeAll(async () => {
  database = await testDatabase()
  const { owner } = database
  for (const id of [orgId, randomUUID()]) await owner`insert into organisations (id, name) values (${id}, 'x')`
  for (const id of workspaces) await owner`insert into workspaces (org_id, id, name) values (${orgId}, ${id}, ${id})`
  await owner`insert into credentials (org_id, id, client_id, name) values (${orgId}, ${credentialId}, 'x', 'x')`
  for (const id of workspaces.slice(0, 3)) {
    await owner`insert into credential_grants values (${orgId}, ${credentialId}, ${id}, '{envelope:read}')`
  }
  rows = fc
    .sample(aRow, { numRuns: 150, seed: 7 })
    .toSorted((left, right) => right.createdAt.getTime() - left.createdAt.getTime() || (left.id < right.id ? 1 : -1))
  for (const [index, row] of rows.entries()) await addRow(owner, row, index % 2 === 0)
  await addStrangers(owner)
})
afterAll(() => database[Symbol.asyncDispose]())

/** The same titles in another organisation, whose id ends like ours: they are in the same posting lists of the index. */
async function addStrangers(owner: Database): Promise<void> {
  const [org, workspace] = [randomUUID().slice(0, 24) + orgId.slice(24), randomUUID()]
  await owner`insert into organisations (id, name) values (${org}, 'y')`
  await owner`insert into workspaces (org_id, id, name) values (${org}, ${workspace}, 'y')`
  await owner`
    insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds)
    select ${org}, gen_random_uuid(), ${workspace}, title, false, false, 60 from envelopes`
}

/** Inserted in its final state, or as a draft that is changed into it. */
async function addRow(owner: Database, row: Row, atOnce: boolean): Promise<void> {
  const { status, lapsesAt, dropsAt } = row
  const endedAt = ['COMPLETED', 'CANCELLED', 'EXPIRED'].includes(status) ? row.createdAt : null
  const first = atOnce
    ? { status, lapsesAt, dropsAt, endedAt }
    : { status: 'DRAFT', lapsesAt: null, dropsAt: null, endedAt: null }
  // Times are stored more precisely than they are read.
  await owner`
    insert into envelopes (org_id, id, workspace_id, title, status, otp_required, sequential_signing, link_ttl_seconds, labels, created_at, lapses_at,
      drops_at, ended_at)
    values (${orgId}, ${row.id}, ${row.workspaceId}, ${row.title}, ${first.status}, false, false, 60, ${owner.json(row.labels)},
      ${row.createdAt}::timestamptz + interval '400 microseconds', ${first.lapsesAt}, ${first.dropsAt}, ${first.endedAt})`
  await owner`
    update envelopes set status = ${status}, lapses_at = ${lapsesAt}, drops_at = ${dropsAt}, ended_at = ${endedAt} where id = ${row.id}`
}

const aTime = fc.constantFrom(-3, -1, 1, 3).map((hours) => new Date(now + hours * HOUR_MS))
const someLabels = fc.dictionary(fc.constantFrom('team', 'region', 'urgent'), fc.constantFrom('a', 'b', 'ä%'), {
  noNullPrototype: true,
})
const EVERYTHING: EnvelopeFilter = { statuses: [], labels: { pairs: [], keys: [] } }
/** Characters that are special in patterns, quotes or the index query, letters of one to four bytes, and some with more than two cases. */
const hostileText = fc.string({
  unit: fc.constantFrom(...Array.from('aAb%_\\\'":*&|! äÄßsςΣ\u0308日😀')),
  minLength: 1,
  maxLength: 7,
})
const TITLES = ['Lease 100%', 'LEASE_1', 'Ärztevertrag', 'x', 'Offer letter', "O'Brien \\ Sons", '😀', 'abcbcd', 'Οδός Straße']
const aTitle = fc.oneof(fc.constantFrom(...TITLES), hostileText)
const aNeedle = fc.oneof(
  // The last one has the same trigrams as a title that does not contain it.
  fc.constantFrom('lease', '%', '_', 'ÄRZTE', 'e', '\\', "'", "' | 'a", 'absent', 'straße', 'δός', 'abcd'),
  hostileText,
  // A part of an existing title, in capitals.
  fc.tuple(fc.constantFrom(...TITLES), fc.nat(12), fc.integer({ min: 1, max: 9 })).map(
    ([title, from, length]) =>
      Array.from(title)
        .slice(from % title.length)
        .slice(0, length)
        .join('')
        .toUpperCase() || title,
  ),
)
const aRow: fc.Arbitrary<Row> = fc
  .record({
    id: fc.uuid(),
    workspaceId: fc.constantFrom(...workspaces),
    title: aTitle,
    status: fc.constantFrom(...ENVELOPE_STATUSES),
    labels: someLabels,
    createdAt: fc
      .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(0, 0, 0, 40, 75, 150))
      .map(([seconds, days]) => new Date(now - seconds * 1_000 - days * 24 * HOUR_MS)),
    lapsesAt: fc.option(aTime),
    dropsAt: fc.option(aTime),
  })
  .map((row) => ({ ...row, dropsAt: row.status === 'DRAFT' ? row.dropsAt : null }))

const aFilter: fc.Arbitrary<EnvelopeFilter> = fc.record({
  statuses: fc.subarray([...ENVELOPE_STATUSES]),
  labels: fc.record({
    pairs: someLabels.map(Object.entries<string>),
    keys: fc.subarray(['team', 'urgent']),
  }),
  title: fc.option(aNeedle, { nil: undefined, freq: 2 }),
  from: fc.option(fc.constant(new Date(now - 700_000_000)), { nil: undefined }),
  to: fc.option(fc.constant(new Date(now - 200_000_000)), { nil: undefined }),
  workspaceId: fc.constantFrom(undefined, undefined, ...workspaces),
})

function shownStatus({ status, lapsesAt }: Row): EnvelopeStatus {
  return ['DRAFT', 'SENT', 'IN_PROGRESS'].includes(status) && lapsesAt && lapsesAt.getTime() <= now ? 'EXPIRED' : status
}

function isReadable({ workspaceId, dropsAt, lapsesAt }: Row): boolean {
  const dropped = dropsAt && dropsAt.getTime() <= now && !(lapsesAt && lapsesAt <= dropsAt)
  return workspaceId !== workspaces[3] && !dropped
}

function fits(row: Row, { statuses, labels, title, from, to, workspaceId }: EnvelopeFilter): boolean {
  const terms = [
    isReadable(row),
    statuses.length === 0 || statuses.includes(shownStatus(row)),
    labels.pairs.every(([key, value]) => row.labels[key] === value),
    labels.keys.every((key) => key in row.labels),
    foldText(row.title).includes(foldText(title ?? '')),
    row.createdAt >= (from ?? row.createdAt),
    !to || row.createdAt < to,
    row.workspaceId === (workspaceId ?? row.workspaceId),
  ]
  return terms.every(Boolean)
}

const core = () => ({ database: database.api })

test('every page of every filter has the matches, newest first, with the exact total', async () => {
  await fc.assert(
    fc.asyncProperty(aFilter, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 3 }), async (filter, size, page) => {
      const wanted = rows.filter((row) => fits(row, filter))
      const found = await listEnvelopes(core(), caller, filter, { page, size })
      expect(found.content.map(({ id }) => id)).toEqual(wanted.slice(page * size, (page + 1) * size).map(({ id }) => id))
      expect(found).toMatchObject({
        totalElements: wanted.length,
        totalPages: Math.ceil(wanted.length / size),
        totalCapped: false,
      })
    }),
    { numRuns: runs(50) },
  )
})

test('scan and index find the same for any title', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(aFilter, fc.constant(EVERYTHING)), aNeedle, async (filter, title) => {
      const wanted = rows.filter((row) => fits(row, { ...filter, title })).map(({ id }) => id)
      for (const plan of ['scan', 'index'] as const) {
        const [page, count] = await inOrganisation(database.api, orgId, (sql) =>
          Promise.all([
            searchEnvelopes(sql, caller, { ...filter, title }, { offset: 1, limit: 9, plan }),
            countMatching(sql, caller, { ...filter, title }, { most: 8, plan }),
          ]),
        )
        const known = plan === 'index' && wanted.length > 1 ? wanted.length : undefined
        expect([plan, page.envelopes.map(({ id }) => id), page.total]).toEqual([plan, wanted.slice(1, 10), known])
        expect([plan, count]).toEqual([plan, Math.min(wanted.length, 8)])
      }
    }),
    { numRuns: runs(50) },
  )
})

test('the statistics equal the lists, by the status that a reader sees', async () => {
  for (const workspaceId of [undefined, ...workspaces]) {
    const readable = rows.filter((row) => isReadable(row) && (!workspaceId || row.workspaceId === workspaceId))
    const counts = await countEnvelopes(core(), caller, workspaceId)
    for (const status of ENVELOPE_STATUSES)
      expect(counts[status]).toBe(readable.filter((row) => shownStatus(row) === status).length)
    expect(counts.total).toBe(readable.length)
  }
})

test('a total by status and workspace equals the length of the complete list', async () => {
  const filters: EnvelopeStatus[][] = [
    [],
    ['SENT', 'EXPIRED'],
    ['EXPIRED', 'EXPIRED'],
    ...ENVELOPE_STATUSES.map((status) => [status]),
  ]
  for (const workspaceId of [undefined, ...workspaces]) {
    for (const statuses of filters) {
      const filter = { ...EVERYTHING, statuses, workspaceId }
      const wanted = rows.filter((row) => fits(row, filter)).length
      const { totalElements } = await listEnvelopes(core(), caller, filter, { page: 0, size: 1 })
      expect([filter, totalElements]).toEqual([filter, wanted])
      const count = (sql: Sql) => countMatching(sql, caller, filter, { most: 3, plan: 'scan' })
      expect(await inOrganisation(database.api, orgId, count)).toBe(Math.min(wanted, 3))
    }
  }
})

test('labels follow their envelope: to another workspace, to other values, and to deletion', async () => {
  const id = randomUUID()
  const find = async (team: string, workspaceId?: WorkspaceId) => {
    const filter = { statuses: [], labels: { pairs: [['team', team]] as const, keys: [] }, workspaceId }
    const { content } = await listEnvelopes(core(), caller, filter, { page: 0, size: 100 })
    return content.some((envelope) => envelope.id === id)
  }
  const { owner } = database
  await owner`
    insert into envelopes (org_id, id, workspace_id, title, otp_required, sequential_signing, link_ttl_seconds, labels)
    values (${orgId}, ${id}, ${workspaces[0]!}, 'Moving', false, false, 60, ${owner.json({ team: 'movers' })})`
  expect([await find('movers'), await find('movers', workspaces[1])]).toEqual([true, false])
  await owner`update envelopes set workspace_id = ${workspaces[1]!} where id = ${id}`
  expect([await find('movers', workspaces[0]), await find('movers', workspaces[1])]).toEqual([false, true])
  await owner`update envelopes set labels = ${owner.json({ team: 'shakers' })} where id = ${id}`
  expect([await find('movers'), await find('shakers')]).toEqual([false, true])
  await owner`delete from envelopes where id = ${id}`
  expect(await owner`select from envelope_labels where envelope_id = ${id}`).toHaveLength(0)
})
