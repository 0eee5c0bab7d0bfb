import { updateWebhook } from '#core/webhook/update-webhook.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWebhookResponse } from '../../../responses/webhook.ts'
import { UpdateWebhookBody, WebhookPath, WebhookResponse } from '../../../schemas/webhook.ts'

export const updateWebhookRoute = definePanelRoute({
  operationId: 'updateWebhook',
  summary: 'Change, enable or disable a webhook',
  description:
    'Deliveries that wait are sent to a new address. A webhook that was disabled automatically is probed at once when its address is changed. Disabling it ends the deliveries that wait.',
  access: 'admin',
  method: 'patch',
  path: '/settings/api/webhooks/:id',
  params: WebhookPath,
  body: UpdateWebhookBody,
  success: 200,
  response: WebhookResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'MANAGED_BY_KUBERNETES', 'WEBHOOK_URL_REFUSED'],
  handle: async ({ core, caller, params, body }) => toWebhookResponse(await updateWebhook(core, caller, params.id, body)),
})
