// Webhooks that an object in Kubernetes manages or suspends, in the panel.
import { WebhookId } from '#core/ids.ts'
import { takeLeadership } from '#core/mirror/take-leadership.ts'
import { applyCommands } from '#core/webhook/mirror/apply-commands.ts'
import { markOrphaned } from '#core/webhook/mirror/mark-orphaned.ts'
import { castVote } from '#core/webhook/store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { anObject, applied, FENCE } from '../../support/builders/managed-webhooks.ts'
import { type PanelClient, signedIn } from '../../support/clients/panel-client.ts'
import { testService, type TestService } from '../../support/servers/test-service.ts'

const INPUT = { url: 'https://93.184.215.14/hooks', eventTypes: ['envelope.completed'] }

let service: TestService
let admin: PanelClient
let system: Parameters<typeof applyCommands>[0]

beforeAll(async () => {
  service = await testService()
  admin = await signedIn(service)
  system = { ...service.api, database: service.database.system }
  await takeLeadership(system, { ...FENCE, holder: 'one' })
})
beforeEach(async () => {
  await service.database.owner`delete from webhooks`
})
afterAll(() => service[Symbol.asyncDispose]())

const aWebhookOfThePanel = async () => WebhookId.parse((await admin.post('/webhooks', INPUT)).body.id)
const suspend = (id: WebhookId, suspended: boolean, rotationRequest?: string) =>
  applyCommands(system, FENCE, { id, suspend: suspended, rotationRequest, generation: 1 })
const read = async (id: string) => (await admin.get(`/webhooks/${id}`)).body

describe('a webhook managed in Kubernetes', () => {
  const object = () => anObject(service.organisation.orgId, { namespace: 'shop', name: 'orders' })

  test('is read only here, and every refusal names the object', async () => {
    const { id } = await applied(system, object())
    const answers = [
      await admin.patch(`/webhooks/${id}`, { url: 'https://10.0.0.1/' }),
      await admin.patch(`/webhooks/${id}`, { enabled: false }),
      await admin.delete(`/webhooks/${id}`),
      await admin.post(`/webhooks/${id}/rotate-secret`),
      await admin.post(`/webhooks/${id}/revoke-previous-secret`),
      await admin.post(`/webhooks/${id}/reveal-secret`),
    ]
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([409, 'MANAGED_BY_KUBERNETES'])
      expect(body.message).toContain('WebhookSubscription shop/orders')
    }
    expect(await read(id)).toMatchObject({ enabled: true, secretShown: true, origin: 'Kubernetes' })
  })

  test('shows its object, and when that is missing', async () => {
    const managed = object()
    const { id } = await applied(system, managed)
    const shown = { kubernetesObject: { namespace: 'shop', name: 'orders' } }
    expect(await read(id)).toMatchObject(shown)
    expect(await read(id)).not.toHaveProperty('orphanedAt')
    await markOrphaned(system, FENCE, [managed.uid], new Date('2026-11-02T00:00:00Z'))
    expect((await admin.get('/webhooks')).body).toMatchObject([{ id, ...shown, orphanedAt: '2026-11-02T00:00:00.000Z' }])
    expect(await read(await aWebhookOfThePanel())).not.toHaveProperty('kubernetesObject')
  })
})

describe('a suspended webhook', () => {
  test('cannot be enabled here', async () => {
    const id = await aWebhookOfThePanel()
    await suspend(id, true)
    expect(await read(id)).toMatchObject({ enabled: false, disabledReason: 'SUSPENDED', disabledReasons: ['SUSPENDED'] })
    const { status, body } = await admin.patch(`/webhooks/${id}`, { enabled: true })
    expect([status, body.code]).toEqual([409, 'MANAGED_BY_KUBERNETES'])
    expect(body.message).toContain('Set `suspend` to false')
  })

  test('shows every reason why it is disabled; an admin ends all but the suspension', async () => {
    const id = await aWebhookOfThePanel()
    await castVote(system.database, service.organisation.orgId, id, 'AUTOMATIC')
    await suspend(id, true)
    const { body: off } = await admin.patch(`/webhooks/${id}`, { enabled: false })
    expect(off).toMatchObject({
      enabled: false,
      disabledReason: 'SUSPENDED',
      disabledReasons: ['SUSPENDED', 'BY_ADMIN', 'AUTOMATIC'],
    })
    const { status, body: on } = await admin.patch(`/webhooks/${id}`, { enabled: true })
    expect(status).toBe(200)
    expect(on).toMatchObject({ enabled: false, disabledReasons: ['SUSPENDED'], consecutiveExhausted: 0 })
    await suspend(id, false)
    const body = await read(id)
    expect(body.enabled).toBe(true)
    for (const field of ['disabledReason', 'disabledReasons', 'disabledAt']) expect(body).not.toHaveProperty(field)
  })
})

test('a secret that was rotated in Kubernetes is shown here once, and the activity names no person', async () => {
  const id = await aWebhookOfThePanel()
  const { secretLastFour: before } = await read(id)
  await suspend(id, false, 'r1')
  const unshown = await read(id)
  expect(unshown).toMatchObject({ secretShown: false, previousSecretExpiresAt: expect.any(String) })
  expect(unshown.secretLastFour).not.toBe(before)
  const { status, body } = await admin.post(`/webhooks/${id}/reveal-secret`)
  expect([status, body.secret.slice(-4)]).toEqual([200, unshown.secretLastFour])
  expect((await admin.post(`/webhooks/${id}/reveal-secret`)).body.code).toBe('SECRET_ALREADY_SHOWN')
  const { content } = (await admin.get('/activity')).body
  expect(content[1]).toMatchObject({ actor: 'KUBERNETES', person: null, action: 'webhook.secret-rotated', address: null })
})
