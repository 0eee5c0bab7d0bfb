import { releaseLegalHold } from '#core/envelope/retention/hold-envelope.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { EnvelopePath } from '../../../schemas/envelope.ts'

export const releaseLegalHoldRoute = definePanelRoute({
  operationId: 'releaseLegalHold',
  summary: 'Release a legal hold; documents past their retention time are deleted at once',
  access: 'admin',
  method: 'delete',
  path: '/settings/api/envelopes/:id/legal-hold',
  params: EnvelopePath,
  success: 204,
  errors: ['ENVELOPE_NOT_FOUND'],
  handle: ({ core, caller, params }) => releaseLegalHold(core, caller, params.id),
})
