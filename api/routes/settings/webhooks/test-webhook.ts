import { testWebhook } from '#core/webhook/test-webhook.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toTestWebhookResponse } from '../../../responses/webhook.ts'
import { TestWebhookBody, TestWebhookResponse, WebhookPath } from '../../../schemas/webhook.ts'

export const testWebhookRoute = definePanelRoute({
  operationId: 'testWebhook',
  summary: 'Send a test event and wait for the answer',
  description:
    'One attempt, with the header `X-Svc-Test: true`, in every state of the webhook. The envelope of the event has the id `00000000-0000-0000-0000-000000000000`. If the receiver accepts it, a webhook that was disabled automatically is enabled.',
  access: 'admin',
  method: 'post',
  path: '/settings/api/webhooks/:id/test',
  params: WebhookPath,
  body: TestWebhookBody,
  success: 200,
  response: TestWebhookResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'EVENT_TYPE_NOT_SUBSCRIBED'],
  handle: async ({ core, caller, params, body }) => {
    return toTestWebhookResponse(await testWebhook(core, caller, params.id, body?.eventType))
  },
})
