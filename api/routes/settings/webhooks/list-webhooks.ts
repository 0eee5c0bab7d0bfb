import { listWebhooks } from '#core/webhook/list-webhooks.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWebhookResponse } from '../../../responses/webhook.ts'
import { WebhookResponse } from '../../../schemas/webhook.ts'

export const listWebhooksRoute = definePanelRoute({
  operationId: 'listWebhooks',
  summary: 'List webhooks, oldest first',
  access: 'admin',
  method: 'get',
  path: '/settings/api/webhooks',
  params: z.object({}),
  success: 200,
  response: z.array(WebhookResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listWebhooks(core, caller)).map(toWebhookResponse),
})
