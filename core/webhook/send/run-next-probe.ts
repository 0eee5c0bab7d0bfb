// Probes a webhook with a synthetic event. When the receiver accepts it, an automatic disabling ends.
import type { StorelessCore } from '#core/context.ts'
import { insertEvents } from '#core/event/store.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import type { Attempt } from '#core/webhook/request/attempt.ts'
import { insertDelivery } from '#core/webhook/delivery/store.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { sendEvent } from './send-event.ts'
import { isProbed } from '#core/webhook/rules.ts'
import { type LockedWebhook, lockWebhook, markProbed } from '#core/webhook/store.ts'
import { enableAfterAnswer } from '#core/webhook/switch-webhook.ts'
import { newSyntheticEvent, type SyntheticEvent } from '#core/webhook/synthetic-event.ts'
import type { HeldLeases } from '#core/work/hold-lease.ts'
import type { JobHandler, JobRef } from '#core/work/job.ts'
import { runNextJob } from '#core/work/run-next-job.ts'
import { endProbe, lockProbe, postponeProbe, PROBE_WORK, type ProbeJob } from '#core/webhook/probe/probe-job.ts'

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
  const { orgId, id, request } = job
  const { at, failure } = attempt
  return inTransaction(core.database, async (sql) => {
    const webhook = await lockWebhook(sql, orgId, id)
    const held = await lockProbe(sql, job)
    await insertEvents(sql, orgId, [event])
    const status = failure ? 'GAVE_UP' : 'DELIVERED'
    await insertDelivery(sql, orgId, { webhookId: id, eventId: event.id, kind: 'PROBE', status, attempts: [attempt] })
    if (!webhook) return false
    const isAccepted = !failure && webhook.url === job.url
    await markProbed(sql, orgId, id, { request, isAccepted, at, failure })
    // Of a webhook whose probes were ended meanwhile, nothing else changes.
    if (!held) return false
    const next = nextProbe(core, job, { open: held.request, webhook, isAccepted })
    await (next ? postponeProbe(sql, job, { ...next, error: failure?.code }) : endProbe(sql, job))
    if (!isAccepted) return 'failed'
    if (webhook.disabledAutomatically) await enable(sql, core, { ...webhook, orgId, id })
    return true
  })
}

/** None when it is not disabled automatically, or not any more. A request that came during the probe is carried out at once, and after a change of the address
 *  the new one is probed at once. */
function nextProbe(
  { settings }: Pick<StorelessCore, 'settings'>,
  job: ProbeJob,
  { open, webhook, isAccepted }: { open: string | null; webhook: LockedWebhook; isAccepted: boolean },
): { seconds: number; request: string | null } | undefined {
  if (open !== job.request) return { seconds: 0, request: open }
  if (isAccepted || !isProbed(webhook)) return undefined
  return { seconds: webhook.url === job.url ? settings.webhookProbeIntervalSeconds : 0, request: null }
}

async function enable(sql: Sql, core: StorelessCore, webhook: LockedWebhook & Pick<ProbeJob, 'orgId' | 'id'>): Promise<void> {
  const { orgId, id } = webhook
  await enableAfterAnswer(sql, core, orgId, webhook)
  core.log.info({ orgId, webhookId: id }, 'webhook.enabled')
}
