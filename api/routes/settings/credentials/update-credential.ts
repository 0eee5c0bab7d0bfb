import { updateCredential } from '#core/account/credential/update-credential.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toCredentialResponse } from '../../../responses/credential.ts'
import { CredentialPath, CredentialResponse, UpdateCredentialBody } from '../../../schemas/credential.ts'

export const updateCredentialRoute = definePanelRoute({
  operationId: 'updateCredential',
  summary: 'Change the name or the permissions of a credential',
  access: 'admin',
  factor: 'recent',
  method: 'patch',
  path: '/settings/api/credentials/:id',
  params: CredentialPath,
  body: UpdateCredentialBody,
  success: 200,
  response: CredentialResponse,
  errors: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_REVOKED', 'WORKSPACE_NOT_FOUND'],
  handle: async ({ core, caller, params, body }) => toCredentialResponse(await updateCredential(core, caller, params.id, body)),
})
