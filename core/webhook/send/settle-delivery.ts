// Records the result of an attempt, with what follows from it.
import type { StorelessCore } from '#core/context.ts'
import { WEBHOOK_SLOW_SECONDS } from '#core/limits.ts'
import { webhookAttemptDuration, webhookAttempts } from '#core/platform/metrics/metrics.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { mustDisable, nextDelaySeconds } from '#core/webhook/rules.ts'
import { countExhausted, lockWebhook, markSlow } from '#core/webhook/store.ts'
import { disableAutomatically, enableAfterAnswer } from '#core/webhook/switch-webhook.ts'
import type { Attempt } from '#core/webhook/request/attempt.ts'
import type { DeliveryJob, RecordDelivered } from '#core/webhook/delivery/delivery-job.ts'
import { recordDelivered, recordGaveUp, recordRejected } from '#core/webhook/delivery/settle-store.ts'

/** Settles a delivery. Like JobHandler's `perform`: false when the worker no longer held the lease. */
export async function settleDelivery(
  core: StorelessCore,
  job: DeliveryJob,
  attempt: Attempt,
  record: RecordDelivered = (lease, accepted) => recordDelivered(core.database, lease, accepted),
): Promise<boolean | 'failed'> {
  const delaySeconds = job.isTest ? undefined : nextDelaySeconds(core.settings.webhookRetryDelaysSeconds, job.failures + 1)
  const outcome = attempt.failure ? (delaySeconds === undefined ? 'gave_up' : 'rejected') : 'delivered'
  webhookAttempts.inc({ outcome, failure: attempt.failure?.code ?? 'none' })
  webhookAttemptDuration.observe({ outcome }, attempt.durationMs / 1000)
  if (!attempt.failure) return job.isTest ? settleAcceptedTest(core, job, attempt) : record(job, attempt)
  return settleFailed(core, job, attempt, delaySeconds)
}

/** Without a delay it was the last attempt. */
async function settleFailed(
  core: StorelessCore,
  job: DeliveryJob,
  attempt: Attempt,
  delaySeconds: number | undefined,
): Promise<false | 'failed'> {
  const isSettled = await inTransaction(core.database, async (sql) => {
    // First, so that the ends of a webhook's deliveries are counted in their order.
    const webhook = await lockWebhook(sql, job.orgId, job.webhookId)
    if (isTimeout(attempt)) await markSlow(sql, job.orgId, job.webhookId, WEBHOOK_SLOW_SECONDS)
    if (delaySeconds !== undefined) return recordRejected(sql, job, attempt, delaySeconds)
    const isFirst = await recordGaveUp(sql, job, attempt)
    if (isFirst && webhook && !job.isTest) await countEnd(sql, core, job, webhook, attempt)
    return isFirst
  })
  return isSettled && 'failed'
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockWebhook>>>

async function countEnd(
  sql: Sql,
  core: StorelessCore,
  { orgId, webhookId: id }: DeliveryJob,
  webhook: Locked,
  { at, failure }: Attempt,
): Promise<void> {
  await countExhausted(sql, orgId, id, at, failure)
  if (webhook.disabledReason !== null || !mustDisable(webhook.consecutiveExhausted + 1, core.settings.webhookDisableAfter)) return
  await disableAutomatically(sql, core, orgId, { id, url: webhook.url, failure })
  core.log.warn({ orgId, webhookId: id }, 'webhook.disabled')
}

/** A test that succeeds ends an automatic disabling, as a probe does. */
async function settleAcceptedTest(core: StorelessCore, job: DeliveryJob, attempt: Attempt): Promise<boolean> {
  const { orgId, webhookId: id } = job
  return inTransaction(core.database, async (sql) => {
    const webhook = await lockWebhook(sql, orgId, id)
    const isFirst = await recordDelivered(sql, job, attempt)
    if (isFirst && webhook?.disabledAutomatically) {
      await enableAfterAnswer(sql, core, orgId, { ...webhook, id })
      core.log.info({ orgId, webhookId: id }, 'webhook.enabled')
    }
    return isFirst
  })
}

function isTimeout({ failure }: Attempt): boolean {
  return failure?.code === 'TIMEOUT' || failure?.code === 'CONNECT_TIMEOUT'
}
