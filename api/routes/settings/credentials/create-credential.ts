import { createCredential } from '#core/account/credential/create-credential.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toCredentialResponse } from '../../../responses/credential.ts'
import { CreateCredentialBody, NewCredentialResponse } from '../../../schemas/credential.ts'

export const createCredentialRoute = definePanelRoute({
  operationId: 'createCredential',
  summary: 'Create a credential; the secret is shown only once',
  access: 'admin',
  factor: 'recent',
  method: 'post',
  path: '/settings/api/credentials',
  params: z.object({}),
  body: CreateCredentialBody,
  success: 201,
  response: NewCredentialResponse,
  errors: ['WORKSPACE_NOT_FOUND'],
  handle: async ({ core, caller, body }) => {
    const created = await createCredential(core, caller, body)
    return { ...toCredentialResponse(created), clientSecret: created.clientSecret }
  },
})
