import { getWebhook } from '#core/webhook/get-webhook.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWebhookResponse } from '../../../responses/webhook.ts'
import { WebhookPath, WebhookResponse } from '../../../schemas/webhook.ts'

export const getWebhookRoute = definePanelRoute({
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  access: 'admin',
  method: 'get',
  path: '/settings/api/webhooks/:id',
  params: WebhookPath,
  success: 200,
  response: WebhookResponse,
  errors: ['WEBHOOK_NOT_FOUND'],
  handle: async ({ core, caller, params }) => toWebhookResponse(await getWebhook(core, caller, params.id)),
})
