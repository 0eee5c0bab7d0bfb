import { createWebhook } from '#core/webhook/create-webhook.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWebhookWithSecretResponse } from '../../../responses/webhook.ts'
import { CreateWebhookBody, WebhookWithSecretResponse } from '../../../schemas/webhook.ts'

export const createWebhookRoute = definePanelRoute({
  operationId: 'createWebhook',
  summary: 'Create a webhook; the secret is shown only once',
  access: 'admin',
  method: 'post',
  path: '/settings/api/webhooks',
  params: z.object({}),
  body: CreateWebhookBody,
  success: 201,
  response: WebhookWithSecretResponse,
  errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_LIMIT_REACHED'],
  handle: async ({ core, caller, body }) => toWebhookWithSecretResponse(await createWebhook(core, caller, body)),
})
