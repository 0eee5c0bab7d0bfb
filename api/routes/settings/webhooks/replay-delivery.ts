import { replayDelivery } from '#core/webhook/delivery/replay-delivery.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toDeliveryWithBodyResponse } from '../../../responses/delivery.ts'
import { DeliveryPath, DeliveryWithBodyResponse } from '../../../schemas/delivery.ts'

export const replayDeliveryRoute = definePanelRoute({
  operationId: 'replayDelivery',
  summary: 'Send the event of a delivery again',
  description: 'The new delivery has the same event id and body and a new signature. The recorded one does not change.',
  access: 'admin',
  method: 'post',
  path: '/settings/api/webhooks/:id/deliveries/:deliveryId/replay',
  params: DeliveryPath,
  success: 201,
  response: DeliveryWithBodyResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND', 'DELIVERY_WITHOUT_BODY', 'WEBHOOK_DISABLED'],
  handle: async ({ core, caller, params }) => {
    const { id: webhookId, deliveryId } = params
    return toDeliveryWithBodyResponse(await replayDelivery(core, caller, { webhookId, deliveryId }))
  },
})
