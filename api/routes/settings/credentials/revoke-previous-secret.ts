import { revokePreviousSecret } from '#core/account/credential/revoke-previous-secret.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { CredentialPath } from '../../../schemas/credential.ts'

export const revokePreviousSecretRoute = definePanelRoute({
  operationId: 'revokePreviousSecret',
  summary: 'Revoke the old secret before its 24 hours are over',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/credentials/:id/revoke-previous-secret',
  params: CredentialPath,
  success: 204,
  errors: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_REVOKED'],
  handle: ({ core, caller, params }) => revokePreviousSecret(core, caller, params.id),
})
