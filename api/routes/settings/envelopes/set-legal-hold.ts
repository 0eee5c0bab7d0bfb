import { setLegalHold } from '#core/envelope/retention/hold-envelope.ts'
import { definePanelRoute } from '../../../http/define-route.ts'
import { EnvelopePath } from '../../../schemas/envelope.ts'
import { LegalHoldResponse } from '../../../schemas/legal-hold.ts'

export const setLegalHoldRoute = definePanelRoute({
  operationId: 'setLegalHold',
  summary: 'Set a legal hold: keep the documents of an envelope beyond their retention time',
  access: 'admin',
  method: 'put',
  path: '/settings/api/envelopes/:id/legal-hold',
  params: EnvelopePath,
  success: 200,
  response: LegalHoldResponse,
  errors: ['ENVELOPE_NOT_FOUND', 'ENVELOPE_CANNOT_BE_HELD'],
  handle: async ({ core, caller, params }) => ({ heldSince: (await setLegalHold(core, caller, params.id)).toISOString() }),
})
