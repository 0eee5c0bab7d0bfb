import { deleteDraft } from '#core/envelope/delete-draft.ts'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { EnvelopePath } from '../../schemas/envelope.ts'

export const deleteDraftRoute = defineOrganisationRoute({
  operationId: 'deleteDraft',
  summary: 'Delete a draft',
  description: 'Also deletes its documents. To end a sent envelope, cancel it.',
  method: 'delete',
  path: '/api/v1/envelopes/:id',
  params: EnvelopePath,
  success: 204,
  errors: ['ENVELOPE_NOT_FOUND', 'ENVELOPE_NOT_DRAFT'],
  handle: ({ core, caller, params }) => deleteDraft(core, caller, params.id),
})
