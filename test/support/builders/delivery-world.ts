// One webhook of a new organisation, and the steps of its deliveries.
import { insertEvents } from '#core/event/store.ts'
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { StorelessCore } from '#core/context.ts'
import type { Attempt } from '#core/webhook/request/attempt.ts'
import { claimDeliveries } from '#core/webhook/delivery/claim-deliveries.ts'
import type { DeliveryJob } from '#core/webhook/delivery/delivery-job.ts'
import { settleDelivery } from '#core/webhook/send/settle-delivery.ts'
import { insertDelivery, insertDeliveryJobs } from '#core/webhook/delivery/store.ts'
import type { AttemptResult } from '#core/webhook/request/post-client.ts'
import { newSyntheticEvent } from '#core/webhook/synthetic-event.ts'
import type { TestDatabase } from '../servers/test-database.ts'
import { anOrganisation } from './rows.ts'
import { aClaim, anAttempt, anEnvelope, aWebhook, deliveryCore, OK, record, REJECTED } from './webhooks.ts'

interface DeliveryState {
  status: string
  reason: string | null
  attempts: Attempt[]
  /** That are left of it. */
  jobs: number
}

interface WebhookState {
  exhausted: number
  disabled: string | null
  slow: boolean | null
}

export interface DeliveryWorld {
  core: StorelessCore
  orgId: OrgId
  webhookId: WebhookId
  claim: () => Promise<DeliveryJob[]>
  settle: (job: DeliveryJob, result?: AttemptResult) => Promise<boolean | 'failed'>
  /** Settles its last attempt as failed. */
  exhaust: (job: DeliveryJob) => Promise<boolean | 'failed'>
  recordEvent: () => Promise<void>
  /** A leased delivery of a new event. */
  aJob: () => Promise<DeliveryJob>
  aLeased: (kind: 'REPLAY' | 'TEST') => Promise<DeliveryJob>
  deliveryOf: (job: Pick<DeliveryJob, 'id'>) => Promise<DeliveryState>
  webhook: () => Promise<WebhookState>
}

export async function aDeliveryWorld(database: TestDatabase): Promise<DeliveryWorld> {
  const { owner, system } = database
  const core = deliveryCore(database)
  const { orgId } = await anOrganisation(system)
  const settle: DeliveryWorld['settle'] = (job, result = OK) => settleDelivery(core, job, anAttempt(result))
  const claim = () => claimDeliveries(core, orgId, aClaim())
  const recordEvent = () => record(system, orgId, anEnvelope(), 'envelope.sent')
  const world: DeliveryWorld = {
    core,
    orgId,
    webhookId: await aWebhook(core, orgId),
    claim,
    settle,
    exhaust: (job) => settle({ ...job, failures: core.settings.webhookRetryDelaysSeconds.length }, REJECTED),
    recordEvent,
    async aJob() {
      await recordEvent()
      const [job] = await claim()
      return job!
    },
    async aLeased(kind) {
      const event = newSyntheticEvent('envelope.sent', new Date())
      await insertEvents(system, orgId, [event])
      const id = await insertDelivery(system, orgId, { webhookId: world.webhookId, eventId: event.id, kind, status: 'WAITING' })
      await insertDeliveryJobs(system, orgId, [id])
      return (await claim()).find((job) => job.id === id)!
    },
    async deliveryOf({ id }) {
      const [row] = await owner<DeliveryState[]>`
        select status, reason, attempts, (select count(*)::int from delivery_jobs j where j.id = d.id) as jobs from deliveries d where id = ${id}`
      return row!
    },
    async webhook() {
      const [row] = await owner<WebhookState[]>`
        select consecutive_exhausted as exhausted, disabled_reason as disabled, slow_until > sealwright_now() as slow
        from webhooks where id = ${world.webhookId}`
      return row!
    },
  }
  return world
}
