import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, aSentEnvelope } from '../../support/builders/envelopes.ts'
import { type PanelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

let service: TestService
let admin: PanelClient

beforeAll(async () => {
  service = await testService({ SEALWRIGHT_QUOTA_OPEN_ENVELOPES: '7', SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '600' })
  admin = await signedIn(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const chosen = async () => {
  const { name, locale, retentionDays } = (await admin.get('/organisation')).body
  return { name, locale, retentionDays }
}

describe('the organisation', () => {
  // requirements: running/panel/GET, PATCH /organisation
  test("starts in English with the installation's retention, and shows all five quotas", async () => {
    const { status, body } = await admin.get('/organisation')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: service.organisation.orgId, name: 'Test organisation', locale: 'en', retentionDays: null })
    expect(Object.keys(body).toSorted()).toEqual([
      'id',
      'locale',
      'name',
      'quotas',
      'requireSecondFactor',
      'retentionDays',
      'webhookLimit',
    ])
    expect(body.quotas.map(({ dimension, limit }: { dimension: string; limit: number }) => [dimension, limit])).toEqual([
      ['STORAGE_BYTES', 10_737_418_240],
      ['ENVELOPES_SENT_PER_DAY', 1_000],
      ['OPEN_ENVELOPES', 7],
      ['EMAILS_PER_HOUR', 1_000],
      ['API_REQUESTS_PER_MINUTE', 600],
    ])
  })

  test('shows the current usage of each quota', async () => {
    await using own = await testService({ SEALWRIGHT_QUOTA_API_REQUESTS_PER_MINUTE: '600' })
    const panel = await signedIn(own)
    const used = async (): Promise<Record<string, number>> => {
      const { quotas } = (await panel.get('/organisation')).body
      return Object.fromEntries(
        quotas.map(({ dimension, current }: { dimension: string; current: number }) => [dimension, current]),
      )
    }
    expect(await used()).toEqual({
      STORAGE_BYTES: 0,
      ENVELOPES_SENT_PER_DAY: 0,
      OPEN_ENVELOPES: 0,
      EMAILS_PER_HOUR: 0,
      API_REQUESTS_PER_MINUTE: 0,
    })
    await aDraft(own.client)
    await aSentEnvelope(own.client)
    const now = await used()
    expect(now).toMatchObject({ ENVELOPES_SENT_PER_DAY: 1, OPEN_ENVELOPES: 2, EMAILS_PER_HOUR: 1 })
    expect(now['STORAGE_BYTES']).toBeGreaterThan(0)
    // Five requests; a process takes permits in small batches.
    expect(now['API_REQUESTS_PER_MINUTE']).toBeGreaterThanOrEqual(5)
    await own.database.moveClock(86_400)
    const later = await signedIn(own)
    const { quotas } = (await later.get('/organisation')).body
    expect(quotas).toContainEqual({ dimension: 'ENVELOPES_SENT_PER_DAY', limit: 1_000, current: 0 })
    expect(quotas).toContainEqual({ dimension: 'OPEN_ENVELOPES', limit: 10_000, current: 2 })
  })

  // requirements: running/panel/GET, PATCH /organisation
  test('changes the given fields and keeps the rest', async () => {
    const { status, body } = await admin.patch('/organisation', { name: 'Garden Lettings', retentionDays: 90 })
    expect([status, body.name, body.locale, body.retentionDays]).toEqual([200, 'Garden Lettings', 'en', 90])
    expect((await admin.patch('/organisation', { locale: 'de' })).body).toMatchObject({
      name: 'Garden Lettings',
      locale: 'de',
      retentionDays: 90,
    })
    expect((await admin.patch('/organisation', {})).body).toMatchObject({
      name: 'Garden Lettings',
      locale: 'de',
      retentionDays: 90,
    })
    await admin.patch('/organisation', { retentionDays: null })
    expect(await chosen()).toEqual({ name: 'Garden Lettings', locale: 'de', retentionDays: null })
  })

  // requirements: decisions/smaller/retention setting
  test.each([30, 3_650])('can keep sealed files for %i days', async (retentionDays) => {
    expect((await admin.patch('/organisation', { retentionDays })).body.retentionDays).toBe(retentionDays)
  })

  test.each([
    ['a retention of 29 days', { retentionDays: 29 }],
    ['a retention of 3651 days', { retentionDays: 3_651 }],
    ['half a day of retention', { retentionDays: 90.5 }],
    ['a retention in words', { retentionDays: '90' }],
    ['a language that there is not', { locale: 'fr' }],
    ['an empty name', { name: '' }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }],
    ['no name at all', { name: null }],
  ])('refuses %s', async (_case, change) => {
    const before = await chosen()
    const { status, body } = await admin.patch('/organisation', { locale: 'en', ...change })
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(await chosen()).toEqual(before)
  })

  test('cannot change its quotas', async () => {
    const { quotas } = (await admin.get('/organisation')).body
    const { status, body } = await admin.patch('/organisation', { quotas: [{ dimension: 'OPEN_ENVELOPES', limit: 9 }] })
    expect([status, body.quotas]).toEqual([200, quotas])
  })

  test('is visible to members, who cannot change it', async () => {
    const member = await signedIn(service, { role: 'MEMBER' })
    expect((await member.get('/organisation')).body.id).toBe(service.organisation.orgId)
    const { status, body } = await member.patch('/organisation', { name: 'Mine' })
    expect([status, body]).toEqual([403, ''])
  })
})
