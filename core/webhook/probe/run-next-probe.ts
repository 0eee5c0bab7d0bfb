// Probes a disabled webhook with a synthetic event. When the receiver accepts it, the webhook is enabled.
import type { StorelessCore } from '#core/context.ts'
import { insertEvents } from '#core/event/store.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import type { Attempt } from '#core/webhook/delivery/attempt.ts'
import { insertDelivery } from '#core/webhook/delivery/store.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { sendEvent } from '#core/webhook/send-event.ts'
import { lockWebhook } from '#core/webhook/store.ts'
import { enableAfterAnswer } from '#core/webhook/switch-webhook.ts'
import { newSyntheticEvent, type SyntheticEvent } from '#core/webhook/synthetic-event.ts'
import type { HeldLeases } from '#core/work/hold-lease.ts'
import type { JobHandler, JobRef } from '#core/work/job.ts'
import { runNextJob } from '#core/work/run-next-job.ts'
import { postponeProbe, PROBE_WORK, type ProbeJob } from './probe-job.ts'

/** Seconds until a probe is tried again that met an error of our own. */
const OWN_ERROR_SECONDS = 60

/** Runs the wanted probe, or without one the probe that has been due longest; see `runNextJob`. */
export async function runNextProbe(
  core: StorelessCore,
  client: PostClient,
  wanted?: JobRef,
  held?: HeldLeases,
): Promise<boolean> {
  return runNextJob(core, probeHandler(core, client), wanted, held)
}

function probeHandler(core: StorelessCore, client: PostClient): JobHandler<ProbeJob> {
  return {
    kind: PROBE_WORK,
    span: { name: 'probe webhook', attributes: ({ id }) => ({ 'sealwright.webhook_id': id }) },
    perform: (job) => probe(core, client, job),
    // What is thrown is an error of our own; failed probes are settled.
    isTransient: () => true,
    maxFailures: 1,
    backoffSeconds: () => OWN_ERROR_SECONDS,
  }
}

async function probe(core: StorelessCore, client: PostClient, job: ProbeJob): Promise<boolean | 'failed'> {
  const [eventType = 'envelope.sent'] = job.eventTypes
  const event = newSyntheticEvent(eventType, job.takenAt)
  const sent = { ...job, webhookId: job.id, eventId: event.id, eventType, body: event.body, isSynthetic: true }
  return settle(core, job, event, await sendEvent(core, client, sent))
}

async function settle(core: StorelessCore, job: ProbeJob, event: SyntheticEvent, attempt: Attempt): Promise<boolean | 'failed'> {
  const { orgId, id } = job
  return inTransaction(core.database, async (sql) => {
    const webhook = await lockWebhook(sql, orgId, id)
    // An admin's change meanwhile holds: the probe is recorded and changes nothing else.
    const isWanted = webhook?.disabledReason === 'AUTOMATIC'
    const isAccepted = !attempt.failure && webhook?.url === job.url
    const isHeld = isWanted && (isAccepted || (await postpone(sql, core, job, attempt, webhook.url)))
    await insertEvents(sql, orgId, [event])
    const status = attempt.failure ? 'GAVE_UP' : 'DELIVERED'
    await insertDelivery(sql, orgId, { webhookId: id, eventId: event.id, kind: 'PROBE', status, attempts: [attempt] })
    if (!isHeld) return false
    if (!isAccepted) return 'failed'
    await enableAfterAnswer(sql, core, orgId, { id, url: webhook.url })
    core.log.info({ orgId, webhookId: id }, 'webhook.enabled')
    return true
  })
}

/** After a change of the address during the probe, the new one is probed at once. */
async function postpone(
  sql: Sql,
  core: StorelessCore,
  job: ProbeJob,
  { failure }: Attempt,
  currentUrl: string,
): Promise<boolean> {
  const seconds = currentUrl === job.url ? core.settings.webhookProbeIntervalSeconds : 0
  return postponeProbe(sql, job, failure?.code, seconds)
}
