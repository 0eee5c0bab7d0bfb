import { revokePreviousSecret } from '#core/webhook/revoke-previous-secret.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { WebhookPath } from '../../../schemas/webhook.ts'

export const revokePreviousWebhookSecretRoute = definePanelRoute({
  operationId: 'revokePreviousWebhookSecret',
  summary: 'Stop signing with the old secret before its 24 hours are over',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/webhooks/:id/revoke-previous-secret',
  params: WebhookPath,
  success: 204,
  errors: ['WEBHOOK_NOT_FOUND', 'MANAGED_BY_KUBERNETES'],
  handle: ({ core, caller, params }) => revokePreviousSecret(core, caller, params.id),
})
