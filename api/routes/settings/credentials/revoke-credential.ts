import { revokeCredential } from '#core/account/credential/revoke-credential.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { CredentialPath } from '../../../schemas/credential.ts'

export const revokeCredentialRoute = definePanelRoute({
  operationId: 'revokeCredential',
  summary: 'Revoke a credential; tokens already issued stay valid until they expire',
  access: 'admin',
  factor: 'recent',
  method: 'delete',
  path: '/settings/api/credentials/:id',
  params: CredentialPath,
  success: 204,
  errors: ['CREDENTIAL_NOT_FOUND'],
  handle: ({ core, caller, params }) => revokeCredential(core, caller, params.id),
})
