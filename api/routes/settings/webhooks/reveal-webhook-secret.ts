import { revealSecret } from '#core/webhook/reveal-secret.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toWebhookWithSecretResponse } from '../../../responses/webhook.ts'
import { WebhookPath, WebhookWithSecretResponse } from '../../../schemas/webhook.ts'

export const revealWebhookSecretRoute = definePanelRoute({
  operationId: 'revealWebhookSecret',
  summary: 'Show a secret that was made outside the panel, once',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/webhooks/:id/reveal-secret',
  params: WebhookPath,
  success: 200,
  response: WebhookWithSecretResponse,
  errors: ['WEBHOOK_NOT_FOUND', 'MANAGED_BY_KUBERNETES', 'SECRET_ALREADY_SHOWN'],
  handle: async ({ core, caller, params }) => toWebhookWithSecretResponse(await revealSecret(core, caller, params.id)),
})
