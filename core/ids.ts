// Identifiers with a brand, so that an organisation's id can't slip into an envelope's place.
import { z } from 'zod'

// NOTE: z.guid() takes any UUID text; z.uuid() refuses variants that other systems do use. Ids come in any case
// (RFC 9562, section 4) and are kept in small letters, as Postgres writes them: hashes and HMACs go over their text.
const guid = z.guid('must be a UUID').toLowerCase()

export const OrgId = guid.brand('OrgId')
export type OrgId = z.infer<typeof OrgId>
export const WorkspaceId = guid.brand('WorkspaceId')
export type WorkspaceId = z.infer<typeof WorkspaceId>
export const CredentialId = guid.brand('CredentialId')
export type CredentialId = z.infer<typeof CredentialId>
/** One of an organisation's people, who sign in to the panel. */
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
/** Identifies one signer's signature; printed in the seal and taken by the verify endpoint. */
export const SignatureId = guid.brand('SignatureId')
export type SignatureId = z.infer<typeof SignatureId>

/** A fresh random id of the given kind. */
export function newId<Id extends z.ZodType>(kind: Id): z.output<Id> {
  return kind.parse(crypto.randomUUID())
}
