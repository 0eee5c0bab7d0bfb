import { listCredentials } from '#core/account/credential/list-credentials.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toCredentialResponse } from '../../../responses/credential.ts'
import { CredentialResponse } from '../../../schemas/credential.ts'

export const listCredentialsRoute = definePanelRoute({
  operationId: 'listCredentials',
  summary: 'List credentials, newest first, including revoked ones',
  access: 'admin',
  method: 'get',
  path: '/settings/api/credentials',
  params: z.object({}),
  success: 200,
  response: z.array(CredentialResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listCredentials(core, caller)).map(toCredentialResponse),
})
