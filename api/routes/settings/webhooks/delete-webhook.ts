import { deleteWebhook } from '#core/webhook/delete-webhook.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { WebhookPath } from '../../../schemas/webhook.ts'

export const deleteWebhookRoute = definePanelRoute({
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook and end the deliveries that wait',
  access: 'admin',
  method: 'delete',
  path: '/settings/api/webhooks/:id',
  params: WebhookPath,
  success: 204,
  errors: ['WEBHOOK_NOT_FOUND', 'MANAGED_BY_KUBERNETES'],
  handle: ({ core, caller, params }) => deleteWebhook(core, caller, params.id),
})
