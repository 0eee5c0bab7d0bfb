import { readFile } from 'node:fs/promises'
import { deleteUnattached } from '#core/envelope/document/delete-unattached.ts'
import { deleteStaleDrafts } from '#core/envelope/delete-stale-drafts.ts'
import { expireEnvelopes } from '#core/envelope/expire-envelopes.ts'
import { verifyAudit } from '#core/audit/verify-audit.ts'
import type { ObjectStore } from '#core/platform/storage/object-store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiClient, type ApiClient } from '../support/clients/api-client.ts'
import { aDraft, aSentEnvelope, BEN } from '../support/builders/envelopes.ts'
import { pdfFixture } from '../support/builders/pdf-fixtures.ts'
import { aDraftRow, anOrganisation, usageOf } from '../support/builders/rows.ts'
import { testService, type TestService } from '../support/servers/test-service.ts'

const DAY = 86_400
let service: TestService
let client: ApiClient

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_DRAFT_TTL: '30d' })
})
beforeEach(() => moveDays(0))
afterAll(() => service[Symbol.asyncDispose]())

const moveDays = async (days: number) => {
  await service.database.moveClock(days * DAY)
  client = await apiClient(service.url, service.organisation)
}
const sweep = (overrides: { storage?: ObjectStore; draftTtlSeconds?: number } = {}) => {
  const { storage = service.system.storage, draftTtlSeconds = 30 * DAY } = overrides
  return deleteStaleDrafts({ ...service.system, storage, settings: { ...service.system.settings, draftTtlSeconds } })
}
const path = (id: string) => `/api/v1/envelopes/${id}`
const usage = () => usageOf(service.database.owner, service.organisation)
const objects = async () => {
  const keys: string[] = []
  for await (const { key } of service.api.storage.list('organisations/', new Date(Date.now() + 1_000))) keys.push(key)
  return keys
}

describe('an unchanged draft after its time', () => {
  // requirements: decisions/envelopes/drop a draft, decisions/smaller/clean-up
  test('is hidden from every read and gate at once, before any sweep', async () => {
    const { id } = await aDraft(client, { title: 'Forgotten' })
    const [document] = (await client.get(`${path(id)}/documents`)).body
    await moveDays(30 - 1)
    expect((await client.get(path(id))).status).toBe(200)
    await moveDays(30)
    const answers = await Promise.all([
      client.get(path(id)),
      client.get(`${path(id)}/documents`),
      client.post(`${path(id)}/send`),
      client.post(`${path(id)}/signers`, BEN),
      client.post(`${path(id)}/cancel`),
      client.send('DELETE', path(id)),
    ])
    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'ENVELOPE_NOT_FOUND'])
    expect((await client.get('/api/v1/envelopes?title=Forgotten')).body).toMatchObject({ content: [], totalElements: 0 })
    expect((await client.get('/api/v1/envelopes/stats')).body).toMatchObject({ draft: 0, total: 0 })
    const again = await client.post('/api/v1/envelopes', { title: 'x', signers: [BEN], documentIds: [document.id] })
    expect([again.status, again.body.code]).toEqual([404, 'DOCUMENT_NOT_FOUND'])
    expect(await sweep()).toBe(1)
  })

  // requirements: decisions/smaller/clean-up
  test('keeps only its audit trail after the sweep', async () => {
    const before = { usage: await usage(), objects: await objects() }
    const { id } = await aDraft(client)
    await moveDays(30)
    expect([await sweep(), await sweep()]).toEqual([1, 0])
    expect({ usage: await usage(), objects: await objects() }).toEqual(before)
    const rows = await service.database
      .owner`select action, actor, detail from audit_events where envelope_id = ${id} order by seq desc limit 1`
    expect(rows).toMatchObject([{ action: 'envelope.deleted', actor: { kind: 'system' }, detail: { reason: 'untouched' } }])
  })

  test('starts its time again with every edit', async () => {
    const { id } = await aDraft(client)
    await moveDays(20)
    expect((await client.post(`${path(id)}/signers`, BEN)).status).toBe(201)
    await moveDays(45)
    expect((await client.upload(`${path(id)}/documents`, await readFile(pdfFixture('reportlab.pdf')))).status).toBe(201)
    await moveDays(45 + 30 - 1)
    expect([(await client.get(path(id))).status, await sweep()]).toEqual([200, 0])
    await moveDays(45 + 30)
    expect([(await client.get(path(id))).status, await sweep()]).toEqual([404, 1])
  })

  test('is deleted although the store fails', async () => {
    await aDraft(client)
    await moveDays(30)
    const { storage } = service.system
    const broken = { ...storage, delete: () => Promise.reject(new Error('store away')) }
    expect(await sweep({ storage: broken })).toBe(1)
    expect(await sweep()).toBe(0)
  })
})

describe('other envelopes', () => {
  test('stay when they were sent', async () => {
    const { id } = await aSentEnvelope(client, { linkTtlHours: 2_000 })
    await moveDays(31)
    expect([await sweep(), (await client.get(path(id))).body.status]).toEqual([0, 'SENT'])
  })

  test('stay and show it when the draft expired first; a deleted draft does not come back', async () => {
    const at = (days: number) => new Date(Date.now() + days * DAY * 1000).toISOString()
    const early = await aDraft(client, { expiresAt: at(10) })
    const late = await aDraft(client, { expiresAt: at(40) })
    await moveDays(50)
    expect((await client.get(path(early.id))).body.status).toBe('EXPIRED')
    expect((await client.get(path(late.id))).status).toBe(404)
    await expireEnvelopes(service.system)
    expect((await client.get(path(late.id))).status).toBe(404)
    expect(await sweep()).toBe(1)
    expect((await client.get(path(early.id))).body.status).toBe('EXPIRED')
  })
})

describe('the sweep', () => {
  test('applies the current setting to all drafts', async () => {
    const { id } = await aDraft(client)
    await moveDays(10)
    expect(await sweep({ draftTtlSeconds: 7 * DAY })).toBeGreaterThan(0)
    expect((await client.get(path(id))).status).toBe(404)
    expect(await service.database.owner`select 1 from envelopes where id = ${id}`).toHaveLength(0)
  })

  test("works in batches, and shares two organisations' drafts with a concurrent sweep", async () => {
    for (const owner of [await anOrganisation(service.system.database), await anOrganisation(service.system.database)])
      for (let made = 0; made < 40; made++) await aDraftRow(service.system.database, owner)
    await moveDays(30)
    const done = await Promise.all([sweep(), sweep()])
    expect(done.reduce((sum, count) => sum + count, await sweep())).toBe(80)
    expect(Math.max(...done)).toBeLessThanOrEqual(50)
    expect(await deleteUnattached(service.system)).toBe(0)
  })

  test('keeps the audit trail intact', async () => {
    const { badRows } = await verifyAudit(service.system, service.organisation.orgId)
    expect(badRows).toEqual([])
  })
})
