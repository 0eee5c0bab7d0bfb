// What an organisation's ledger detects beyond its chains: deleted trails, clocks set back, and tampering with the ledger.
import { verifyAudit } from '#core/audit/verify-audit.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { nestTransaction } from '#core/platform/postgres/transaction.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditTrails, type AuditTrails, keys, ROWS } from '../support/builders/audit-trails.ts'
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

describe('a trail in the ledger', () => {
  beforeEach(async () => {
    await trails.ledger()
  })
  const firstBad = async () => (await trails.verify()).badRows[0]

  test("detects missing rows when a trail's end was cut off with a restored earlier head", async () => {
    const id = await aDraftRow(database.system, trails.organisation)
    for (let row = 0; row < 3; row++) await trails.record(id)
    const [kept] = await database.owner`select seq, at, hash, mac from audit_heads where envelope_id = ${id}`
    await trails.record(id)
    await trails.ledger()
    await trails.tamper(async (sql) => {
      await sql`delete from audit_events where envelope_id = ${id} and seq > 3`
      await sql`update audit_heads set seq = 3, at = ${kept!['at']}, hash = ${kept!['hash']}, mac = ${kept!['mac']}, ledgered_seq = 3 where envelope_id = ${id}`
    })
    expect(await firstBad()).toMatchObject({ envelopeId: id, seq: 4, ledgerSeq: 19, kind: 'missing' })
  })

  test('is detected as missing when nothing else of the envelope is left', async () => {
    await trails.tamper(async (sql) => {
      for (const table of ['audit_events', 'audit_heads'])
        await sql`delete from ${sql(table)} where envelope_id = ${trails.envelopes[1]!}`
      await sql`delete from envelopes where id = ${trails.envelopes[1]!}`
    })
    expect(await firstBad()).toMatchObject({ envelopeId: trails.envelopes[1]!, seq: 1, kind: 'missing' })
  })

  test('is detected as missing when its rows were removed from the ledger and the ledger was renumbered and rehashed', async () => {
    await trails.tamper(async (sql) => {
      for (const table of ['audit_events', 'audit_heads', 'audit_ledger'])
        await sql`delete from ${sql(table)} where envelope_id = ${trails.envelopes[1]!}`
      await sql`delete from envelopes where id = ${trails.envelopes[1]!}`
      await trails.relink(sql)
    })
    expect(await firstBad()).toMatchObject({ ledgerSeq: 6, kind: 'changed' })
  })

  test('that was restored to an earlier state, heads included, is intact but lacks a head that was noted later', async () => {
    const { orgId } = trails.organisation
    const check = (...heads: string[]) => verifyAudit({ database: database.system, keys }, orgId, heads)
    const headNow = async () => (await check()).ledgers[0]!.hash
    const noted = await headNow()
    const before = await database.owner`select org_seq, hash, mac from audit_ledger_heads where org_id = ${orgId}`
    const id = await aDraftRow(database.system, trails.organisation)
    await trails.record(id)
    await trails.ledger()
    const later = await headNow()
    expect((await check(noted, later)).knownHeads).toEqual([noted, later].map((hash) => ({ hash, found: true })))
    await trails.tamper(async (sql) => {
      for (const table of ['audit_events', 'audit_heads', 'audit_ledger'])
        await sql`delete from ${sql(table)} where envelope_id = ${id}`
      await sql`delete from envelopes where id = ${id}`
      await sql`update audit_ledger_heads set ${sql(before[0]!, 'orgSeq', 'hash', 'mac')} where org_id = ${orgId}`
    })
    expect(await check(noted, later)).toMatchObject({
      intact: true,
      knownHeads: [
        { hash: noted, found: true },
        { hash: later, found: false },
      ],
    })
  })

  test.each<[string, object, (sql: Sql) => Promise<unknown>]>([
    [
      'a row of it taken out',
      { ledgerSeq: 7, kind: 'missing' },
      (sql) => sql`delete from audit_ledger where org_id = ${trails.organisation.orgId} and org_seq = 7`,
    ],
    [
      'its end cut off',
      { ledgerSeq: 10, kind: 'truncated' },
      (sql) => sql`delete from audit_ledger where org_id = ${trails.organisation.orgId} and org_seq > 9`,
    ],
    [
      'a hash in it changed',
      { ledgerSeq: 8, kind: 'changed' },
      (sql) => sql`update audit_ledger set event_hash = hash where org_id = ${trails.organisation.orgId} and org_seq = 8`,
    ],
    [
      'its time changed',
      { ledgerSeq: 1, kind: 'changed' },
      (sql) =>
        sql`update audit_ledger set entered_at = now() - interval '1 day' where org_id = ${trails.organisation.orgId} and org_seq = 1`,
    ],
    [
      'all of it gone',
      { ledgerSeq: 1, kind: 'truncated' },
      (sql) => sql`delete from audit_ledger where org_id = ${trails.organisation.orgId}`,
    ],
    [
      'all of it gone with its head',
      { envelopeId: expect.any(String), kind: 'missing' },
      async (sql) => {
        await sql`delete from audit_ledger where org_id = ${trails.organisation.orgId}`
        await sql`delete from audit_ledger_heads where org_id = ${trails.organisation.orgId}`
      },
    ],
    [
      'its head gone',
      { ledgerSeq: 15, kind: 'truncated' },
      (sql) => sql`delete from audit_ledger_heads where org_id = ${trails.organisation.orgId}`,
    ],
  ])('tells the ledger with %s', async (_, expected, work) => {
    await trails.tamper(work)
    expect(await firstBad()).toMatchObject({ orgId: trails.organisation.orgId, ...expected })
  })

  test("gets no new rows in a tampered ledger, while other organisations' ledgers do", async () => {
    const other = await anOrganisation(database.system)
    await trails.anEnvelope(other)
    await trails.record(trails.envelopes[1]!)
    await trails.tamper(async (sql) => {
      await sql`delete from audit_ledger where org_id = ${trails.organisation.orgId} and org_seq > 9`
      await sql`
        update audit_ledger_heads h set org_seq = 9, hash = l.hash from audit_ledger l
        where l.org_id = h.org_id and l.org_seq = 9 and h.org_id = ${trails.organisation.orgId}`
    })
    expect(await trails.ledger()).toBe(ROWS)
    expect(await trails.verify(other)).toMatchObject({ intact: true, notInLedger: 0 })
    expect(await firstBad()).toMatchObject({ ledgerSeq: 9, kind: 'changed' })
  })

  test('detects rows that the service wrote with a clock set back', async () => {
    await database.moveClock(-86_400)
    const id = await trails.anEnvelope()
    await database.moveClock(0)
    await trails.ledger()
    expect(await firstBad()).toMatchObject({ envelopeId: id, seq: 1, kind: 'back-dated' })
  })
})

describe('truncated tables', () => {
  test('are detected by what is left', async () => {
    await trails.ledger()
    const left = async (tables: string) => {
      let badRows
      await database.owner
        .begin(async (sql) => {
          await sql.unsafe(`alter table audit_events disable trigger all; alter table audit_heads disable trigger all;
            alter table audit_ledger disable trigger all; alter table audit_ledger_heads disable trigger all; truncate ${tables}`)
          const inside = new Proxy(database.owner, {})
          nestTransaction(inside, sql)
          badRows = (await verifyAudit({ database: inside, keys }, trails.organisation.orgId)).badRows.length
          throw new Error('put back')
        })
        .catch((error: Error) => expect(error.message).toBe('put back'))
      return badRows
    }
    expect(await left('audit_events')).toBe(3)
    expect(await left('audit_events, audit_heads')).toBe(3)
    expect(await left('audit_events, audit_heads, audit_ledger, audit_ledger_heads')).toBe(3)
  })
})
