// The SQL of drawn seals and sealed copies.
import type { DocumentId, EnvelopeId, OrgId, SignatureId, SignerId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'
import type { PinnedCertificate } from '#core/pades/certificate.ts'

export interface Appearance {
  signerId: SignerId
  signOrder: number
  name: string
  signedAt: Date
  appearance: Buffer
}

/** The drawn seals of an envelope, ordered by signer. */
export async function listAppearances(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<Appearance[]> {
  return sql<Appearance[]>`
    select g.signer_id, s.sign_order, s.name, g.signed_at, g.appearance
    from signers s
    join signatures g on g.org_id = s.org_id and g.signer_id = s.id
    where s.org_id = ${orgId} and s.envelope_id = ${envelopeId}
    order by s.sign_order`
}

export interface NewSealedDocument {
  documentId: DocumentId
  envelopeId: EnvelopeId
  storageKey: string
  sha256: Buffer
  sizeBytes: number
  fingerprint: string
  sealedAt: Date
  auditHead: AuditHead
  increment: Buffer
}

/** Records a seal before it is stored. Returns false, and keeps the first seal, for a document that is already recorded. */
export async function insertSealedDocument(sql: Sql, orgId: OrgId, sealed: NewSealedDocument): Promise<boolean> {
  const rows = await sql`
    insert into sealed_documents (org_id, document_id, envelope_id, storage_key, sha256, size_bytes, fingerprint, sealed_at, audit_seq, audit_hash,
      increment)
    values (${orgId}, ${sealed.documentId}, ${sealed.envelopeId}, ${sealed.storageKey}, ${sealed.sha256}, ${sealed.sizeBytes},
      ${sealed.fingerprint}, ${sealed.sealedAt}, ${sealed.auditHead.seq}, ${Buffer.from(sealed.auditHead.hash, 'hex')}, ${sealed.increment})
    on conflict (org_id, document_id) do nothing
    returning document_id`
  return rows.length > 0
}

export interface SealedDocument {
  documentId: DocumentId
  storageKey: string
  sha256: Buffer
  fingerprint: string
  sealedAt: Date
  /** Null once the copy is stored. */
  increment: Buffer | null
}

export async function listSealedDocuments(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<SealedDocument[]> {
  return sql<SealedDocument[]>`
    select document_id, storage_key, sha256, fingerprint, sealed_at, increment
    from sealed_documents
    where org_id = ${orgId} and envelope_id = ${envelopeId}`
}

/** A stored file with a seal, and the certificate that sealed it. */
export interface SealedFile extends PinnedCertificate {
  storageKey: string
  sha256: Buffer
  sealedAt: Date
}

/** The stored copies of an envelope. */
export async function listStoredCopies(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<SealedFile[]> {
  return sql<SealedFile[]>`
    select s.storage_key, s.sha256, s.sealed_at, c.fingerprint, c.certificate, c.origin, c.compromised_from
    from sealed_documents s
    join seal_certificates c on c.fingerprint = s.fingerprint
    where s.org_id = ${orgId} and s.envelope_id = ${envelopeId} and s.increment is null`
}

/** The stored audit report of an envelope. */
export async function findSealedReport(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<SealedFile | undefined> {
  const [row] = await sql<SealedFile[]>`
    select r.storage_key, r.sha256, r.sealed_at, c.fingerprint, c.certificate, c.origin, c.compromised_from
    from audit_reports r
    join seal_certificates c on c.fingerprint = r.fingerprint
    where r.org_id = ${orgId} and r.envelope_id = ${envelopeId} and r.state = 'DONE'`
  return row
}

/** The sealed documents whose bytes must be kept: none when the retention of the envelope's documents has ended. */
export async function listRetainedCopies(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<{ documentId: DocumentId }[]> {
  return sql<{ documentId: DocumentId }[]>`
    select s.document_id
    from sealed_documents s
    join envelopes e on e.org_id = s.org_id and e.id = s.envelope_id
    where s.org_id = ${orgId} and s.envelope_id = ${envelopeId} and e.archived_at is null`
}

/** Records that every copy of the envelope is stored. */
export async function markSealsStored(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`
    update sealed_documents
    set stored_at = sealwright_now(), increment = null
    where org_id = ${orgId} and envelope_id = ${envelopeId} and stored_at is null`
}

/** The organisation of a signature; the only query before the organisation is known. */
export async function findSignatureOwner(sql: Sql, id: SignatureId): Promise<OrgId | undefined> {
  const [row] = await sql<{ orgId: OrgId }[]>`select org_id from find_signature_owner(${id})`
  return row?.orgId
}

export interface SignatureRow {
  envelopeId: EnvelopeId
  signedAt: Date
  signerEmail: string
  signerName: string
  /** Number of documents in the envelope. */
  documentCount: number
}

export async function findSignature(sql: Sql, orgId: OrgId, id: SignatureId): Promise<SignatureRow | undefined> {
  const [row] = await sql<SignatureRow[]>`
    select g.envelope_id, g.signed_at, s.email as signer_email, s.name as signer_name,
      (select count(*)::int from documents d where d.org_id = g.org_id and d.envelope_id = g.envelope_id) as document_count
    from signatures g
    join signers s on s.org_id = g.org_id and s.id = g.signer_id
    where g.org_id = ${orgId} and g.id = ${id}`
  return row
}
