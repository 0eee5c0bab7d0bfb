// Envelopes. Spec, "Envelope (EnvelopeResponse)".
import { ENVELOPE_STATUSES } from '#core/envelope/rules.ts'
import { EnvelopeId } from '#core/ids.ts'
import { z } from 'zod'
import { pageOf } from './page.ts'
import { DateTime, Int32, Uuid } from './scalars.ts'
import { SignerResponse } from './signer.ts'

export const EnvelopePath = z.object({ id: EnvelopeId.describe("The envelope's id.") })

export const EnvelopeStatus = z.enum(ENVELOPE_STATUSES).meta({ id: 'EnvelopeStatus' })
export type EnvelopeStatus = z.output<typeof EnvelopeStatus>
/** The list itself, for pages: they may not import values. */
export type EnvelopeStatuses = typeof ENVELOPE_STATUSES

export const EnvelopeResponse = z
  .object({
    id: Uuid,
    orgId: Uuid.describe('The owning organisation.'),
    title: z.string(),
    status: EnvelopeStatus,
    createdAt: DateTime,
    createdBy: z
      .string()
      .nullable()
      .describe('The client id of the credential, or the email address of the person, that created it.'),
    expiresAt: DateTime.nullable().describe('Null if the envelope does not expire.'),
    documentCount: Int32,
    labels: z
      .record(z.string(), z.string())
      .meta({ description: 'Your own key/value pairs.', examples: [{ contract: 'lease-14', region: 'north' }] }),
    message: z.string().nullable(),
    otpRequired: z.boolean().describe('Signers must enter a one-time code before they read and sign.'),
    sequentialSigning: z
      .boolean()
      .describe('If true, signers sign in the order of `signOrder`. If false, all signers get their links at the same time.'),
    signers: z.array(SignerResponse),
    workspaceId: Uuid,
    workspaceName: z.string(),
  })
  .meta({ id: 'EnvelopeResponse', description: 'A title, signers and documents that are sent together.' })
export type EnvelopeResponse = z.output<typeof EnvelopeResponse>

export const PagedEnvelopeResponse = pageOf(EnvelopeResponse).meta({
  id: 'PagedEnvelopeResponse',
  description: 'One page of envelopes, newest first.',
})
export type PagedEnvelopeResponse = z.output<typeof PagedEnvelopeResponse>
