// Emails to the admins of an organisation about one of its webhooks.
import { listAdminIds } from '#core/account/person/store.ts'
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { recordWebhookMail, type WebhookNotice } from '#core/mail/record-mail.ts'
import type { WebhookTemplate } from '#core/mail/store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** Queues one for each admin, in the transaction that switches the webhook. */
export async function mailAdmins(
  sql: Sql,
  keys: Core['keys'],
  orgId: OrgId,
  { template, ...notice }: { template: WebhookTemplate } & WebhookNotice,
): Promise<void> {
  for (const personId of await listAdminIds(sql, orgId)) await recordWebhookMail(sql, keys, orgId, { personId, template, notice })
}
