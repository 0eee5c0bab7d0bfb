// Casts and ends the votes against a webhook, with what follows. The caller holds the webhook's row lock.
import type { Core } from '#core/context.ts'
import type { OrgId, WebhookId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { closeDeliveries } from './delivery/settle-store.ts'
import { mailAdmins } from './mail-admins.ts'
import { deleteProbe, insertProbe } from './probe/probe-job.ts'
import { requestProbe } from './probe/request-probe.ts'
import { describeFailure } from './request/describe-failure.ts'
import type { AttemptFailure } from './failure.ts'
import { type DisabledReason, isProbed, type Votes } from './rules.ts'
import { castVote, withdrawDisabling, withdrawSuspension } from './store.ts'

/** Closes what waits for it, and ends regular probes. */
export async function disableWebhook(
  sql: Sql,
  orgId: OrgId,
  id: WebhookId,
  reason: Exclude<DisabledReason, 'AUTOMATIC'>,
): Promise<void> {
  await castVote(sql, orgId, id, reason)
  await closeDeliveries(sql, orgId, id, 'ENDPOINT_DISABLED')
  await deleteProbe(sql, orgId, id)
}

/** Closes what waits for an enabled webhook that fails. It is probed, and the organisation's admins get an email with the last failure. */
export async function disableAutomatically(
  sql: Sql,
  { keys, settings }: Pick<Core, 'keys' | 'settings'>,
  orgId: OrgId,
  { id, url, failure }: { id: WebhookId; url: string; failure?: AttemptFailure | undefined },
): Promise<void> {
  await castVote(sql, orgId, id, 'AUTOMATIC')
  await closeDeliveries(sql, orgId, id, 'ENDPOINT_DISABLED')
  await insertProbe(sql, orgId, id, settings.webhookProbeIntervalSeconds)
  await mailAdmins(sql, keys, orgId, {
    template: 'WEBHOOK_DISABLED',
    url,
    ...(failure && { lastError: { en: describeFailure(failure, 'en'), de: describeFailure(failure, 'de') } }),
  })
}

/** An admin wants it to get events: ends the votes of admins and workers. Nothing that was skipped meanwhile is sent. */
export async function enableWebhook(sql: Sql, orgId: OrgId, id: WebhookId): Promise<void> {
  await withdrawDisabling(sql, orgId, id, { byAdmin: true })
  await deleteProbe(sql, orgId, id)
}

/** Ends the vote of `suspend`. A webhook that had been disabled automatically before is probed at once. */
export async function resumeWebhook(sql: Sql, orgId: OrgId, id: WebhookId, votes: Votes): Promise<void> {
  await withdrawSuspension(sql, orgId, id)
  if (isProbed({ ...votes, suspended: false })) await requestProbe(sql, orgId, id)
}

/** Ends an automatic disabling, because the receiver has accepted a probe or a test; the admins get an email if it gets events again. */
export async function enableAfterAnswer(
  sql: Sql,
  { keys }: Pick<Core, 'keys'>,
  orgId: OrgId,
  { id, url, ...votes }: { id: WebhookId; url: string } & Votes,
): Promise<void> {
  await withdrawDisabling(sql, orgId, id, { byAdmin: false })
  await deleteProbe(sql, orgId, id)
  if (isProbed(votes)) await mailAdmins(sql, keys, orgId, { template: 'WEBHOOK_ENABLED', url })
}
