import { rotateSecret } from '#core/webhook/rotate-secret.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWebhookWithSecretResponse } from '../../../responses/webhook.ts'
import { WebhookPath, WebhookWithSecretResponse } from '../../../schemas/webhook.ts'

export const rotateWebhookSecretRoute = definePanelRoute({
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the signing secret; deliveries are signed with both for 24 hours',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/webhooks/:id/rotate-secret',
  params: WebhookPath,
  success: 200,
  response: WebhookWithSecretResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'MANAGED_BY_KUBERNETES', 'SECRET_ROTATION_IN_PROGRESS'],
  handle: async ({ core, caller, params }) => toWebhookWithSecretResponse(await rotateSecret(core, caller, params.id)),
})
