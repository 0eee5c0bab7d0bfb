// Branded ids, so that an organisation's id cannot be passed as an envelope's.
import { z } from 'zod'

// NOTE: z.guid() accepts any UUID text; z.uuid() rejects variants that other systems use. Ids arrive in any case (RFC 9562, section 4) and are stored
// in lower case, as Postgres prints them: hashes and HMACs cover their text.
const guid = z.guid('must be a UUID').toLowerCase()

export const OrgId = guid.brand('OrgId')
export type OrgId = z.infer<typeof OrgId>
export const WorkspaceId = guid.brand('WorkspaceId')
export type WorkspaceId = z.infer<typeof WorkspaceId>
export const CredentialId = guid.brand('CredentialId')
export type CredentialId = z.infer<typeof CredentialId>
/** A person of the organisation, who signs in to the panel. */
export const PersonId = guid.brand('PersonId')
export type PersonId = z.infer<typeof PersonId>
export const EnvelopeId = guid.brand('EnvelopeId')
export type EnvelopeId = z.infer<typeof EnvelopeId>
export const SignerId = guid.brand('SignerId')
export type SignerId = z.infer<typeof SignerId>
export const DocumentId = guid.brand('DocumentId')
export type DocumentId = z.infer<typeof DocumentId>
export const ChallengeId = guid.brand('ChallengeId')
export type ChallengeId = z.infer<typeof ChallengeId>
/** Identifies one signer's signature; printed in the seal and accepted by the verify endpoint. */
export const SignatureId = guid.brand('SignatureId')
export type SignatureId = z.infer<typeof SignatureId>
export const WebhookId = guid.brand('WebhookId')
export type WebhookId = z.infer<typeof WebhookId>
export const DeliveryId = guid.brand('DeliveryId')
export type DeliveryId = z.infer<typeof DeliveryId>

/** A new random id of the given kind. */
export function newId<Id extends z.ZodType>(kind: Id): z.output<Id> {
  return kind.parse(crypto.randomUUID())
}
