import { getDelivery } from '#core/webhook/delivery/get-delivery.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toDeliveryWithBodyResponse } from '../../../responses/delivery.ts'
import { DeliveryPath, DeliveryWithBodyResponse } from '../../../schemas/delivery.ts'

export const getDeliveryRoute = definePanelRoute({
  operationId: 'getDelivery',
  summary: 'Get a delivery with its body',
  access: 'admin',
  method: 'get',
  path: '/settings/api/webhooks/:id/deliveries/:deliveryId',
  params: DeliveryPath,
  success: 200,
  response: DeliveryWithBodyResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  handle: async ({ core, caller, params }) => {
    const { id: webhookId, deliveryId } = params
    return toDeliveryWithBodyResponse(await getDelivery(core, caller, { webhookId, deliveryId }))
  },
})
