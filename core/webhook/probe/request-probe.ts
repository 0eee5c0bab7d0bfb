// Has a webhook probed at once.
import type { OrgId, WebhookId } from '#core/ids.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { PROBE_WORK, upsertProbe } from './probe-job.ts'

/** Within a transaction, whose caller holds the webhook's row lock. With a request, its text is recorded with the result, and the probe is made in every
 *  state of the webhook. */
export async function requestProbe(sql: Sql, orgId: OrgId, id: WebhookId, request: string | null = null): Promise<void> {
  await upsertProbe(sql, orgId, id, request)
  await insertOutbox(sql, orgId, { orderKey: id, subject: PROBE_WORK.subject, body: { orgId, id } })
}
