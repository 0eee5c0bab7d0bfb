// Disables and enables a webhook, with what follows. The caller holds the webhook's row lock.
import type { Core } from '#core/context.ts'
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { closeDeliveries } from './delivery/settle-store.ts'
import { mailAdmins } from './mail-admins.ts'
import { deleteProbe, insertProbe } from './probe/probe-job.ts'
import { describeFailure } from './request/describe-failure.ts'
import type { AttemptFailure } from './request/failure.ts'
import type { DisabledReason } from './rules.ts'
import { markDisabled, markEnabled } from './store.ts'

/** Closes what waits for it. An automatically disabled webhook is probed, and the organisation's admins get an email with the last failure. */
export async function disableWebhook(
  sql: Sql,
  { keys, settings }: Pick<Core, 'keys' | 'settings'>,
  orgId: OrgId,
  { id, url, reason, failure }: { id: WebhookId; url: string; reason: DisabledReason; failure?: AttemptFailure | undefined },
): Promise<void> {
  await markDisabled(sql, orgId, id, reason)
  await closeDeliveries(sql, orgId, id, 'ENDPOINT_DISABLED')
  if (reason !== 'AUTOMATIC') return deleteProbe(sql, orgId, id)
  await insertProbe(sql, orgId, id, settings.webhookProbeIntervalSeconds)
  await mailAdmins(sql, keys, orgId, {
    template: 'WEBHOOK_DISABLED',
    url,
    ...(failure && { lastError: describeFailure(failure, 'en') }),
  })
}

/** Nothing that was skipped meanwhile is sent. */
export async function enableWebhook(sql: Sql, orgId: OrgId, id: WebhookId): Promise<void> {
  await markEnabled(sql, orgId, id)
  await deleteProbe(sql, orgId, id)
}

/** Ends an automatic disabling, because the receiver has accepted a probe or a test; the admins get an email. */
export async function enableAfterAnswer(
  sql: Sql,
  { keys }: Pick<Core, 'keys'>,
  orgId: OrgId,
  { id, url }: { id: WebhookId; url: string },
): Promise<void> {
  await enableWebhook(sql, orgId, id)
  await mailAdmins(sql, keys, orgId, { template: 'WEBHOOK_ENABLED', url })
}
