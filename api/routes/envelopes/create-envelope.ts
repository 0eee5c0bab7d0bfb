import { assertMayCreate } from '#core/envelope/assert-may-create.ts'
import { createEnvelope } from '#core/envelope/create-envelope.ts'
import { z } from 'zod'
import { defineOrganisationRoute } from '../../http/define-route.ts'
import { CreateEnvelopeBody } from '../../schemas/create-envelope.ts'
import { toEnvelopeResponse } from '../../responses/envelope.ts'
import { EnvelopeResponse } from '../../schemas/envelope.ts'
import { assertOwnOrganisation } from '../../schemas/organisation.ts'

export const createEnvelopeRoute = defineOrganisationRoute({
  operationId: 'createEnvelope',
  summary: 'Create a draft',
  description: 'Created in the given workspace, or in General. No emails are sent before you send the envelope.',
  method: 'post',
  path: '/api/v1/envelopes',
  params: z.object({}),
  body: CreateEnvelopeBody,
  success: 201,
  response: EnvelopeResponse,
  errors: [
    'WORKSPACE_NOT_FOUND',
    'DOCUMENT_NOT_FOUND',
    'DOCUMENT_ALREADY_ATTACHED',
    'NO_SIGNERS',
    'TOO_MANY_SIGNERS',
    'TOO_MANY_DOCUMENTS',
    'DUPLICATE_SIGN_ORDER',
    'EXPIRY_OUT_OF_RANGE',
    'LABELS_INVALID',
    'QUOTA_EXCEEDED',
  ],
  authorizeReplay: ({ core, caller, body }) => assertMayCreate(core, caller, body.workspaceId ?? undefined),
  handle: async ({ core, caller, body }) => {
    assertOwnOrganisation(caller, body.orgId)
    const envelope = await createEnvelope(core, caller, {
      title: body.title,
      message: body.message ?? undefined,
      signers: body.signers,
      documentIds: body.documentIds,
      otpRequired: body.otpRequired ?? false,
      sequentialSigning: body.sequentialSigning ?? false,
      expiresAt: body.expiresAt ?? undefined,
      linkTtlHours: body.linkTtlHours ?? undefined,
      labels: body.labels,
      workspaceId: body.workspaceId ?? undefined,
    })
    return toEnvelopeResponse(envelope)
  },
})
