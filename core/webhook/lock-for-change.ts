// The first step of every change of a webhook: the row lock, which serialises it with other changes and with the ends of deliveries.
import type { OrgId, WebhookId } from '#core/ids.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { readWebhook } from './get-webhook.ts'
import { lockWebhook } from './store.ts'
import type { Webhook } from './webhook.ts'

/** Locks until the transaction ends. Throws WEBHOOK_NOT_FOUND, MANAGED_BY_KUBERNETES. */
export async function lockForChange(sql: Sql, orgId: OrgId, id: WebhookId): Promise<Webhook> {
  await lockWebhook(sql, orgId, id)
  const webhook = await readWebhook(sql, orgId, id)
  assertManagedHere(webhook)
  return webhook
}

/** Throws MANAGED_BY_KUBERNETES for a webhook managed there. */
export function assertManagedHere({ origin, object }: Pick<Webhook, 'origin' | 'object'>): void {
  if (origin === 'API') return
  throw new DomainError('MANAGED_BY_KUBERNETES', {
    message: `The webhook is managed by the ${nameOfObject(object)}. Change it there.`,
  })
}

/** The object as kubectl calls it. */
export function nameOfObject(object: Webhook['object']): string {
  return object ? `WebhookSubscription ${object.namespace}/${object.name} in Kubernetes` : 'WebhookSubscription in Kubernetes'
}
