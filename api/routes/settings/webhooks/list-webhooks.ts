import { listWebhooks } from '#core/webhook/list-webhooks.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toListedWebhookResponse } from '../../../responses/webhook.ts'
import { ListedWebhookResponse } from '../../../schemas/webhook.ts'

export const listWebhooksRoute = definePanelRoute({
  operationId: 'listWebhooks',
  summary: 'List webhooks, oldest first',
  access: 'admin',
  method: 'get',
  path: '/settings/api/webhooks',
  params: z.object({}),
  success: 200,
  response: z.array(ListedWebhookResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listWebhooks(core, caller)).map(toListedWebhookResponse),
})
