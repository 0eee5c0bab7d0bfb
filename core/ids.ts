// Identifiers with a brand, so that an organisation's id can't slip into an envelope's place, and the makers of secrets.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'

// NOTE: z.guid() takes any UUID text; z.uuid() refuses variants that other systems do use.
export const OrgId = z.guid().brand('OrgId')
export type OrgId = z.infer<typeof OrgId>
export const WorkspaceId = z.guid().brand('WorkspaceId')
export type WorkspaceId = z.infer<typeof WorkspaceId>
export const CredentialId = z.guid().brand('CredentialId')
export type CredentialId = z.infer<typeof CredentialId>
export const EnvelopeId = z.guid().brand('EnvelopeId')
export type EnvelopeId = z.infer<typeof EnvelopeId>
export const SignerId = z.guid().brand('SignerId')
export type SignerId = z.infer<typeof SignerId>
export const DocumentId = z.guid().brand('DocumentId')
export type DocumentId = z.infer<typeof DocumentId>
export const ChallengeId = z.guid().brand('ChallengeId')
export type ChallengeId = z.infer<typeof ChallengeId>
/** Identifies one signer's signature; printed in the seal and taken by the verify endpoint. */
export const SignatureId = z.guid().brand('SignatureId')
export type SignatureId = z.infer<typeof SignatureId>

/** A fresh random id of the given kind. */
export function newId<Id extends z.ZodType>(kind: Id): z.output<Id> {
  return kind.parse(randomUUID())
}

/** 32 random bytes as base64url, 43 characters: signing tokens and client secrets (ASVS 11.5.1). */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What the database keeps of a token: its SHA-256. Tokens have 256 bits, so no salt or slow hash is due (ASVS 6.5.2). */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
