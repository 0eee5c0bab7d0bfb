// The database's owner can disable triggers and write anything. Each test tampers with a chain in one way and checks the verdict.
import { appendAudit, newChain, recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import { findChainEnd, listAuditEvents } from '#core/audit/store.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditTrails, type AuditTrails, keys } from '../support/builders/audit-trails.ts'
import { aDraftRow, anOrganisation } from '../support/builders/rows.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'

let database: TestDatabase
let trails: AuditTrails

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  trails = await auditTrails(database)
})
afterEach(() => database.moveClock(0))
afterAll(() => database[Symbol.asyncDispose]())

describe('an untouched trail', () => {
  test('is intact before and after it is in the ledger, and reports what the ledger lacks', async () => {
    expect(await trails.verify()).toMatchObject({
      intact: true,
      envelopes: 3,
      rows: 15,
      notInLedger: 15,
      ledgers: [],
      badRows: [],
    })
    expect([await trails.ledger(), await trails.ledger()]).toEqual([15, 0])
    await trails.record(trails.envelopes[1]!)
    const { orgId } = trails.organisation
    expect(await trails.verify()).toMatchObject({ intact: true, rows: 16, notInLedger: 1, ledgers: [{ orgId, rows: 15 }] })
  })

  test('continues in its ledger from batch to batch, with any number of concurrent writers', async () => {
    await Promise.all(
      [...trails.envelopes, ...trails.envelopes, ...trails.envelopes].flatMap((id) => [trails.record(id), trails.ledger()]),
    )
    while ((await trails.ledger()) > 0);
    expect(await trails.verify()).toMatchObject({ intact: true, rows: 24, notInLedger: 0, ledgers: [{ rows: 24 }] })
  })

  test('never goes back in time, although a waiting transaction began before the one it waited for', async () => {
    const { orgId } = trails.organisation
    await database.system.begin(async (late) => {
      await late`select sealwright_now()`
      await trails.record(trails.envelopes[1]!)
      await recordAudit(late, keys, orgId, trails.envelopes[1]!, { ...SYSTEM, action: 'document.closed' })
    })
    await trails.ledger()
    expect(await trails.verify()).toMatchObject({ intact: true, rows: 17 })
  })

  test("stores one transaction's rows together: in order, with one time, as if one after the other", async () => {
    const { orgId } = trails.organisation
    const [id] = trails.envelopes as [EnvelopeId]
    const entries = [1, 2, 3].map((n) => ({ ...SYSTEM, action: 'document.opened', detail: { n } }) as const)
    await database.system.begin(async (sql) => {
      await recordAudit(sql, keys, orgId, id, ...entries)
      await recordAudit(sql, keys, orgId, id, { ...SYSTEM, action: 'document.closed' })
      await recordAudit(sql, keys, orgId, id)
    })
    const rows = (await listAuditEvents(database.system, orgId, id)).slice(5)
    expect(rows.map(({ seq, action, detail }) => [seq, action, detail])).toEqual([
      [6, 'document.opened', { n: 1 }],
      [7, 'document.opened', { n: 2 }],
      [8, 'document.opened', { n: 3 }],
      [9, 'document.closed', {}],
    ])
    expect(new Set(rows.map(({ at }) => at)).size).toBe(1)
    expect(await trails.verify()).toMatchObject({ intact: true, rows: 19 })
    expect(await trails.ledger()).toBe(19)
    expect(await trails.verify()).toMatchObject({ intact: true, rows: 19, notInLedger: 0 })
  })

  test('starts without a query for a new envelope', async () => {
    const { organisation } = trails
    const { orgId } = organisation
    await database.system.begin(async (sql) => {
      const id = await aDraftRow(sql, organisation)
      const { at } = await findChainEnd(sql, orgId, id)
      await appendAudit(
        sql,
        keys,
        orgId,
        id,
        newChain(at),
        { ...SYSTEM, action: 'envelope.created' },
        { ...SYSTEM, action: 'envelope.sent' },
      )
      await recordAudit(sql, keys, orgId, id, { ...SYSTEM, action: 'envelope.deleted' })
    })
    expect(await trails.verify()).toMatchObject({ intact: true, envelopes: 4, rows: 18 })
  })

  test('is entered in order of time, also when more chains wait than fit into a batch', async () => {
    const owner = await anOrganisation(database.system)
    const ids = await Promise.all(Array.from({ length: 501 }, () => aDraftRow(database.system, owner)))
    for (const id of ids) await trails.record(id, owner)
    await database.moveClock(7_200)
    for (const id of ids.slice(0, 3)) await trails.record(id, owner)
    while ((await trails.ledger()) > 0);
    expect(await trails.verify(owner)).toMatchObject({ intact: true, rows: 504, notInLedger: 0 })
  }, 30_000)
})

describe.each([
  { state: 'still in its chain alone', entered: false },
  { state: 'in the ledger', entered: true },
])('a trail that is $state', ({ entered }) => {
  beforeEach(async () => {
    if (entered) await trails.ledger()
  })
  const firstBad = async () => {
    const { intact, badRows } = await trails.verify()
    expect([intact, badRows.length]).toEqual([false, 1])
    expect(badRows[0]).toMatchObject({ orgId: trails.organisation.orgId, envelopeId: trails.envelopes[1]! })
    return badRows[0]
  }

  test.each<[string, { seq: number; kind: string }, (sql: Sql, id: EnvelopeId) => Promise<unknown>]>([
    [
      'a word changed',
      { seq: 3, kind: 'changed' },
      (sql, id) => sql`update audit_events set detail = '{"n":"x"}' where envelope_id = ${id} and seq = 3`,
    ],
    [
      'an actor changed',
      { seq: 2, kind: 'changed' },
      (sql, id) => sql`update audit_events set actor = '{"kind":"person"}' where envelope_id = ${id} and seq = 2`,
    ],
    [
      'its last row changed',
      { seq: 5, kind: 'changed' },
      (sql, id) => sql`update audit_events set address = '192.0.2.1' where envelope_id = ${id} and seq = 5`,
    ],
    [
      'a time put back',
      { seq: 4, kind: 'back-dated' },
      (sql, id) => sql`update audit_events set at = at - interval '1 day' where envelope_id = ${id} and seq = 4`,
    ],
    [
      'a time put forward',
      { seq: 2, kind: 'changed' },
      (sql, id) => sql`update audit_events set at = at + interval '1 microsecond' where envelope_id = ${id} and seq = 2`,
    ],
    [
      'a row taken out',
      { seq: 3, kind: 'missing' },
      (sql, id) => sql`delete from audit_events where envelope_id = ${id} and seq = 3`,
    ],
    [
      'its first row taken out',
      { seq: 1, kind: 'missing' },
      (sql, id) => sql`delete from audit_events where envelope_id = ${id} and seq = 1`,
    ],
    [
      'its end cut off',
      { seq: 4, kind: 'truncated' },
      (sql, id) => sql`delete from audit_events where envelope_id = ${id} and seq > 3`,
    ],
    ['every row gone', { seq: 1, kind: 'missing' }, (sql, id) => sql`delete from audit_events where envelope_id = ${id}`],
    ['its head gone', { seq: 5, kind: 'truncated' }, (sql, id) => sql`delete from audit_heads where envelope_id = ${id}`],
  ])('with %s is reported at that row', async (_, expected, work) => {
    await trails.tamper((sql) => work(sql, trails.envelopes[1]!))
    expect(await firstBad()).toMatchObject(expected)
  })

  test('with two swapped rows is reported at the first of them, with its origin', async () => {
    await trails.tamper(async (sql) => {
      for (const [from, to] of [
        [2, 99],
        [4, 2],
        [99, 4],
      ])
        await sql`update audit_events set seq = ${to!} where envelope_id = ${trails.envelopes[1]!} and seq = ${from!}`
    })
    expect(await firstBad()).toMatchObject({ seq: 2, kind: 'moved', message: 'it was written as entry 4 of its chain' })
  })

  test("with another envelope's row in its place is reported with that row's envelope", async () => {
    await trails.tamper(async (sql) => {
      await sql`delete from audit_events where envelope_id = ${trails.envelopes[1]!} and seq = 4`
      await sql`
        insert into audit_events
        select org_id, ${trails.envelopes[1]!}, seq, at, actor, action, address, user_agent, detail, previous_hash, hash, mac
        from audit_events where envelope_id = ${trails.envelopes[0]!} and seq = 4`
      await sql`update audit_events set at = (select at from audit_events where envelope_id = ${trails.envelopes[1]!} and seq = 5) where envelope_id = ${trails.envelopes[1]!} and seq = 4`
    })
    expect(await firstBad()).toMatchObject({
      seq: 4,
      kind: 'foreign',
      message: `its hash is that of entry 4 of envelope ${trails.envelopes[0]}`,
    })
  })

  test('with a changed row and all hashes recomputed is reported at that row', async () => {
    await trails.tamper(async (sql) => {
      await sql`update audit_events set detail = '{"n":"x"}' where envelope_id = ${trails.envelopes[1]!} and seq = 3`
      await trails.rehash(sql, trails.envelopes[1]!)
    })
    expect(await firstBad()).toMatchObject({ seq: 3, kind: 'changed' })
  })

  test('with a gap closed by renumbering and all hashes recomputed is reported at the gap', async () => {
    await trails.tamper(async (sql) => {
      await sql`delete from audit_events where envelope_id = ${trails.envelopes[1]!} and seq = 2`
      for (const seq of [3, 4, 5])
        await sql`update audit_events set seq = ${seq - 1} where envelope_id = ${trails.envelopes[1]!} and seq = ${seq}`
      await sql`update audit_heads set seq = 4, ledgered_seq = least(ledgered_seq, 4) where envelope_id = ${trails.envelopes[1]!}`
      await trails.rehash(sql, trails.envelopes[1]!)
    })
    expect(await firstBad()).toMatchObject({ seq: 2 })
  })

  test('with its end and head reset stays reported, also after the service has continued to write', async () => {
    await trails.tamper(async (sql) => {
      await sql`delete from audit_events where envelope_id = ${trails.envelopes[1]!} and seq > 3`
      await sql`
        update audit_heads h set seq = 3, hash = e.hash, at = e.at, ledgered_seq = least(ledgered_seq, 3), pending_at = case when ledgered_seq < 3 then h.at end
        from audit_events e where e.envelope_id = h.envelope_id and e.seq = 3 and h.envelope_id = ${trails.envelopes[1]!}`
    })
    await trails.record(trails.envelopes[1]!)
    await trails.ledger()
    expect(await firstBad()).toMatchObject({ kind: 'changed', message: expect.stringContaining('head') })
  })
})
