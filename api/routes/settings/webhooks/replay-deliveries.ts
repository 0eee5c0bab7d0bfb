import { replaySince } from '#core/webhook/delivery/replay-since.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { ReplaySinceBody, ReplaySinceResponse } from '../../../schemas/delivery.ts'
import { WebhookPath } from '../../../schemas/webhook.ts'

export const replayDeliveriesRoute = definePanelRoute({
  operationId: 'replayDeliveries',
  summary: 'Send all events again whose delivery gave up',
  description:
    'Every event once, oldest first, at most 10,000 with one request. Events that are waiting for a delivery are left out, so repeat the request for more. Tests and probes are not sent again.',
  access: 'admin',
  method: 'post',
  path: '/settings/api/webhooks/:id/replay',
  params: WebhookPath,
  body: ReplaySinceBody,
  success: 202,
  response: ReplaySinceResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED'],
  handle: async ({ core, caller, params, body }) => ({ count: await replaySince(core, caller, params.id, body.since) }),
})
