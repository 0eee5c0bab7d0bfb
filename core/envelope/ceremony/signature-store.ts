// The SQL of signatures, and of whether the sealed copies are stored.
import type { EnvelopeId, OrgId, SignatureId, SignerId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

export interface NewSignature {
  envelopeId: EnvelopeId
  signerId: SignerId
  signatureId: SignatureId
  signedAt: Date
  appearance: Buffer
}

/** The signer has signed: from now on the link opens the signed copy, and the verified code is used up. */
export async function insertSignature(sql: Sql, orgId: OrgId, signature: NewSignature): Promise<void> {
  const { envelopeId, signerId, signatureId, signedAt, appearance } = signature
  await sql`
    with signature as (
      insert into signatures (org_id, id, envelope_id, signer_id, signed_at, appearance)
      values (${orgId}, ${signatureId}, ${envelopeId}, ${signerId}, ${signedAt}, ${appearance})),
    link as (
      update signing_links
      set used_at = sealwright_now(), otp_verified_at = null
      where org_id = ${orgId} and signer_id = ${signerId})
    update signers
    set status = 'SIGNED', signed_at = ${signedAt}
    where org_id = ${orgId} and id = ${signerId}`
}

/** The statement of whether every document of the envelope has its sealed copy in the store. */
export function selectSealed(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId) {
  return sql<{ sealed: boolean }[]>`
    select not exists (
      select from documents d
      left join sealed_documents s on s.org_id = d.org_id and s.document_id = d.id and s.stored_at is not null
      where d.org_id = ${orgId} and d.envelope_id = ${envelopeId} and s.document_id is null) as sealed`
}
