import { rotateSecret } from '#core/account/credential/rotate-secret.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toCredentialResponse } from '../../../responses/credential.ts'
import { CredentialPath, NewCredentialResponse } from '../../../schemas/credential.ts'

export const rotateCredentialSecretRoute = definePanelRoute({
  operationId: 'rotateCredentialSecret',
  summary: 'Rotate the secret; the old one stays valid for 24 hours',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/credentials/:id/rotate-secret',
  params: CredentialPath,
  success: 200,
  response: NewCredentialResponse,
  errors: ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_REVOKED', 'CREDENTIAL_WITHOUT_SECRET', 'SECRET_ROTATION_IN_PROGRESS'],
  handle: async ({ core, caller, params }) => {
    const rotated = await rotateSecret(core, caller, params.id)
    return { ...toCredentialResponse(rotated), clientSecret: rotated.clientSecret }
  },
})
