import { listSigningKeys } from '#core/signing-key/list-signing-keys.ts'
import { z } from 'zod'
import { definePanelRoute } from '../../../http/define-route.ts'
import { toSigningKeyResponse } from '../../../responses/signing-key.ts'
import { SigningKeyResponse } from '../../../schemas/signing-key.ts'

export const listSigningKeysRoute = definePanelRoute({
  operationId: 'listSigningKeys',
  summary: 'List signing keys, the active one first',
  access: 'member',
  method: 'get',
  path: '/settings/api/signing-keys',
  params: z.object({}),
  success: 200,
  response: z.array(SigningKeyResponse),
  errors: [],
  handle: async ({ core, caller }) => (await listSigningKeys(core, caller.orgId)).map(toSigningKeyResponse),
})
