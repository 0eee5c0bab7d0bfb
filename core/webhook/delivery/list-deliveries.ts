// A page of a webhook's delivery history.
import type { Core, PersonCaller } from '#core/context.ts'
import type { WebhookId } from '#core/ids.ts'
import { MAX_LIST_DEPTH, MAX_LIST_TOTAL } from '#core/limits.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import { readWebhook } from '#core/webhook/get-webhook.ts'
import type { Delivery, DeliveryFilter } from './delivery.ts'
import { countDeliveries, selectDeliveries } from './history-store.ts'

export interface DeliveryPage {
  content: Delivery[]
  page: number
  size: number
  /** At most 10,000; `totalCapped` when there are more. */
  totalElements: number
  totalPages: number
  totalCapped: boolean
}

/** Newest first. Throws WEBHOOK_NOT_FOUND, PAGE_TOO_DEEP. */
export async function listDeliveries(
  { database, settings }: Pick<Core, 'database' | 'settings'>,
  { orgId }: PersonCaller,
  webhookId: WebhookId,
  filter: DeliveryFilter,
  { page, size }: { page: number; size: number },
): Promise<DeliveryPage> {
  if (page * size > MAX_LIST_DEPTH) throw new DomainError('PAGE_TOO_DEEP')
  const history = { webhookId, keptSeconds: settings.webhookHistorySeconds }
  return readInOrganisation(database, orgId, async (sql) => {
    await readWebhook(sql, orgId, webhookId)
    const content = await selectDeliveries(sql, orgId, history, filter, { offset: page * size, limit: size })
    const counted = await countDeliveries(sql, orgId, history, filter, MAX_LIST_TOTAL + 1)
    const totalElements = Math.min(counted, MAX_LIST_TOTAL)
    const totalPages = Math.ceil(totalElements / size)
    return { content, page, size, totalElements, totalPages, totalCapped: counted > MAX_LIST_TOTAL }
  })
}
