import { randomBytes } from 'node:crypto'
import { verifyChain } from '#core/audit/verify-chain.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import { lockEnvelope } from '#core/envelope/store.ts'
import { EnvelopeId } from '#core/ids.ts'
import { openLog } from '#core/platform/log.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ADA, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { aDraftRow, anOrganisation, usageOf } from '../support/builders/rows.ts'
import { aSignedEnvelope, signAs } from '../support/builders/signed-envelope.ts'
import { signer } from '../support/clients/signer.ts'
import { testDatabase, type TestDatabase } from '../support/servers/test-database.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const HOUR_SECONDS = 3_600
const keys = deriveInstallationKeys(randomBytes(32))

const inAnHour = () => new Date(Date.now() + HOUR_SECONDS * 1000)

describe('a sent envelope whose expiry has passed', () => {
  let service: TestService

  beforeAll(async () => {
    service = await testService()
  })
  afterEach(() => service.database.moveClock(0))
  afterAll(() => service[Symbol.asyncDispose]())

  const sweep = () => expireEnvelopes(service.system)
  const openEnvelopes = async () => (await usageOf(service.database.owner, service.organisation)).openEnvelopes

  // requirements: service-api/transitions/to EXPIRED, service-api/events/envelope.expired, decisions/smaller/after cancel or expiry
  test('is expired once: open signers, links and emails end, an event is recorded, its quota is released', async () => {
    const { id, tokens } = await aSentEnvelope(service.client, { signers: [ADA, BEN], expiresAt: inAnHour().toISOString() })
    await signAs(service, tokens[0]!.token)
    const open = await openEnvelopes()
    await service.database.moveClock(HOUR_SECONDS + 1)
    expect([await sweep(), await sweep()]).toEqual([1, 0])

    const { owner } = service.database
    expect(await owner`select status, ended_at is not null as ended from envelopes where id = ${id}`).toMatchObject([
      { status: 'EXPIRED', ended: true },
    ])
    expect(await owner`select status from signers where envelope_id = ${id} order by sign_order`).toMatchObject([
      { status: 'SIGNED' },
      { status: 'EXPIRED' },
    ])
    expect(
      await owner`select revoked_at is not null as revoked from signing_links where envelope_id = ${id} order by used_at`,
    ).toMatchObject([{ revoked: false }, { revoked: true }])
    expect(await owner`select distinct state, secret_box from mails where envelope_id = ${id}`).toMatchObject([
      { state: 'DROPPED', secretBox: null },
    ])
    expect(
      await owner`select body::jsonb->'data'->'envelope' as envelope from events where type = 'envelope.expired'`,
    ).toMatchObject([{ envelope: { id, status: 'EXPIRED' } }])
    expect(await openEnvelopes()).toBe(open - 1)
    expect((await signer(service.url, tokens[1]!.token).viewOpened()).body.code).toBe('ENVELOPE_NOT_OPEN')
  })

  test('has the expiry in its audit chain, by the system and without an address', async () => {
    const { id } = await aSentEnvelope(service.client, { expiresAt: inAnHour().toISOString() })
    await service.database.moveClock(HOUR_SECONDS + 1)
    await sweep()
    const rows = await service.database
      .owner`select action, actor, address from audit_events where envelope_id = ${id} order by seq`
    expect(rows.at(-1)).toMatchObject({ action: 'envelope.expired', actor: { kind: 'system' }, address: null })
    expect(await verifyChain(service.api, service.organisation.orgId, EnvelopeId.parse(id))).toEqual({ rows: rows.length })
  })

  // requirements: decisions/envelopes/expiresAt
  test('also expires when its last open link has expired, without an expiry of its own', async () => {
    const { id } = await aSentEnvelope(service.client, { linkTtlHours: 1 })
    await service.database.moveClock(HOUR_SECONDS - 60)
    expect(await sweep()).toBe(0)
    await service.database.moveClock(HOUR_SECONDS + 1)
    expect(await sweep()).toBe(1)
    expect(await service.database.owner`select status from envelopes where id = ${id}`).toMatchObject([{ status: 'EXPIRED' }])
  })

  test('stays cancelled or completed', async () => {
    const cancelled = await aSentEnvelope(service.client, { expiresAt: inAnHour().toISOString() })
    await service.client.post(`/api/v1/envelopes/${cancelled.id}/cancel`)
    const completed = await aSignedEnvelope(service, { expiresAt: inAnHour().toISOString() })
    await service.database.moveClock(HOUR_SECONDS + 1)
    expect(await sweep()).toBe(0)
    const rows = await service.database
      .owner`select status from envelopes where id in (${cancelled.id}, ${completed.id}) order by status`
    expect(rows).toMatchObject([{ status: 'CANCELLED' }, { status: 'COMPLETED' }])
  })

  test('sends no more emails, even before any sweep', async () => {
    await service.sendMails()
    const before = (await service.mails.list()).length
    await aSentEnvelope(service.client, { expiresAt: inAnHour().toISOString() })
    await service.database.moveClock(HOUR_SECONDS + 1)
    await service.sendMails()
    expect(await service.mails.list()).toHaveLength(before)
    await sweep()
  })
})

describe('the sweep', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await testDatabase()
  })
  afterEach(() => database.moveClock(0))
  afterAll(() => database[Symbol.asyncDispose]())

  const log = openLog('silent')
  const sweep = () => expireEnvelopes({ database: database.system, keys, log })

  /** Drafts of a new organisation, expired once the clock is moved by two hours. */
  async function drafts(count: number) {
    const organisation = await anOrganisation(database.system)
    const ids = []
    for (let made = 0; made < count; made++) ids.push(await aDraftRow(database.system, organisation, { expiresAt: inAnHour() }))
    return { organisation, ids }
  }

  async function expiredEventsOf(ids: readonly EnvelopeId[]): Promise<number> {
    const [row] = await database.owner<{ count: number }[]>`
      select count(*)::int as count from events
      where type = 'envelope.expired' and released_at is not null and envelope_id = any(${database.owner.array([...ids])}::uuid[])`
    return row!.count
  }

  // requirements: decisions/envelopes/who expires, decisions/envelopes/expires from
  test('handles a backlog in batches of 500, and only expired envelopes', async () => {
    const { organisation, ids } = await drafts(503)
    const later = await aDraftRow(database.system, organisation, { expiresAt: new Date(Date.now() + 3 * HOUR_SECONDS * 1000) })
    const never = await aDraftRow(database.system, organisation)
    await database.moveClock(2 * HOUR_SECONDS)
    expect([await sweep(), await sweep(), await sweep()]).toEqual([500, 3, 0])
    expect(await expiredEventsOf(ids)).toBe(503)
    expect(await usageOf(database.owner, organisation)).toMatchObject({ openEnvelopes: 2 })
    const rows = await database.owner`select distinct status from envelopes where id in (${later}, ${never})`
    expect(rows).toMatchObject([{ status: 'DRAFT' }])
  })

  test('runs concurrently: each envelope expires once, without a deadlock', async () => {
    const organisations = [await drafts(20), await drafts(20), await drafts(20)]
    await database.moveClock(2 * HOUR_SECONDS)
    const swept = await Promise.all(Array.from({ length: 4 }, sweep))
    expect(swept.reduce((sum, count) => sum + count)).toBe(60)
    for (const { organisation, ids } of organisations) {
      expect(await expiredEventsOf(ids)).toBe(20)
      expect(await usageOf(database.owner, organisation)).toMatchObject({ openEnvelopes: 0 })
    }
  })

  test('skips a locked envelope, and takes it the next time', async () => {
    const { organisation, ids } = await drafts(2)
    await database.moveClock(2 * HOUR_SECONDS)
    await database.system.begin(async (sql) => {
      await lockEnvelope(sql, organisation.orgId, ids[0]!)
      expect(await sweep()).toBe(1)
    })
    expect(await sweep()).toBe(1)
    expect(await expiredEventsOf(ids)).toBe(2)
  })

  test('skips an envelope that cannot be changed, and expires all others', async () => {
    const [broken, sound] = [await drafts(2), await drafts(3)]
    // As after a manual change of a counter: the constraint that keeps it above 0 rejects the release.
    const { orgId } = broken.organisation
    await database.owner`update organisations set open_envelopes = 1 where id = ${orgId}`
    await database.moveClock(2 * HOUR_SECONDS)
    expect(await sweep()).toBe(4)
    expect(await expiredEventsOf(sound.ids)).toBe(3)
    expect(await sweep()).toBe(0)
    await database.owner`update organisations set open_envelopes = 1 where id = ${orgId}`
    expect(await sweep()).toBe(1)
    expect(await expiredEventsOf(broken.ids)).toBe(2)
  })

  test('requires the role that sees every organisation', async () => {
    const { ids } = await drafts(1)
    await database.moveClock(2 * HOUR_SECONDS)
    expect(await expireEnvelopes({ database: database.api, keys, log })).toBe(0)
    expect(await sweep()).toBe(1)
    expect(await expiredEventsOf(ids)).toBe(1)
  })
})
