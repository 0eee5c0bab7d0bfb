import { listDeliveries } from '#core/webhook/delivery/list-deliveries.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toDeliveryFilter, toDeliveryResponse } from '../../../responses/delivery.ts'
import { ListDeliveriesQuery, PagedDeliveryResponse } from '../../../schemas/delivery.ts'
import { toPage } from '../../../schemas/page.ts'
import { WebhookPath } from '../../../schemas/webhook.ts'

export const listDeliveriesRoute = definePanelRoute({
  operationId: 'listDeliveries',
  summary: 'List the deliveries of a webhook, newest first',
  description: 'Deliveries are kept for 90 days.',
  access: 'admin',
  method: 'get',
  path: '/settings/api/webhooks/:id/deliveries',
  params: WebhookPath,
  query: ListDeliveriesQuery,
  success: 200,
  response: PagedDeliveryResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'INVALID_STATUS', 'PAGE_TOO_DEEP'],
  handle: async ({ core, caller, params, query }) => {
    const { content, ...page } = await listDeliveries(core, caller, params.id, toDeliveryFilter(query), toPage(query))
    return { content: content.map(toDeliveryResponse), ...page }
  },
})
