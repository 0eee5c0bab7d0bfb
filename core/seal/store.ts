// The SQL of the promise to seal, of what is drawn in a seal, and of the sealed copies.
import type { DocumentId, EnvelopeId, OrgId, SignatureId, SignerId } from '#core/ids.ts'
import type { SealRequested } from '#core/messaging/messages.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { commitAsynchronously } from '#core/platform/postgres/async-commit.ts'
import type { AuditHead } from '#core/pades/audit-head.ts'

export interface Appearance {
  signerId: SignerId
  signOrder: number
  name: string
  signedAt: Date
  appearance: Buffer
}

/** The drawn seals of an envelope by the order of their signers. */
export async function listAppearances(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<Appearance[]> {
  return sql<Appearance[]>`
    select g.signer_id, s.sign_order, s.name, g.signed_at, g.appearance
    from signers s
    join signatures g on g.org_id = s.org_id and g.signer_id = s.id
    where s.org_id = ${orgId} and s.envelope_id = ${envelopeId}
    order by s.sign_order`
}

export interface LeasedSeal {
  orgId: OrgId
  envelopeId: EnvelopeId
  attempts: number
  /** Of these, how many failed by the envelope itself. */
  failures: number
  /** Of these, how many were handed back by workers that were asked to stop. */
  released: number
  /** By the database. */
  takenAt: Date
  /** Since the last signature. */
  waitedSeconds: number
  traceParent: string | null
}

/** Takes one envelope that is due to be sealed, or the wanted one if it is due, raising its attempts before the work and holding it under a lease. */
export async function leaseDueSeal(sql: Sql, leaseSeconds: number, wanted?: SealRequested): Promise<LeasedSeal | undefined> {
  const [row] = await sql<LeasedSeal[]>`
    update seal_intents
    set attempts = attempts + 1, leased_until = sealwright_now() + make_interval(secs => ${leaseSeconds})
    where (org_id, envelope_id) = (
      select org_id, envelope_id
      from seal_intents
      where state = 'WAITING' and due_at <= sealwright_now() and (leased_until is null or leased_until <= sealwright_now())
        ${wanted ? sql`and org_id = ${wanted.orgId} and envelope_id = ${wanted.envelopeId}` : sql``}
      order by due_at
      limit 1
      for update skip locked)
    returning org_id, envelope_id, attempts, failures, released, sealwright_now() as taken_at, extract(epoch from sealwright_now() - created_at)::float8 as waited_seconds, trace_parent,
      ${commitAsynchronously(sql)}`
  return row
}

/** Keeps the lease, unless another worker has taken the envelope since: each taking has its own number of attempts. Also while the envelope is
 *  archived under the worker's hands: its bytes go when the worker is done. */
export async function renewSealLease(
  sql: Sql,
  { orgId, envelopeId, attempts }: Pick<LeasedSeal, 'orgId' | 'envelopeId' | 'attempts'>,
  leaseSeconds: number,
): Promise<void> {
  await sql`
    update seal_intents
    set leased_until = sealwright_now() + make_interval(secs => ${leaseSeconds})
    where org_id = ${orgId} and envelope_id = ${envelopeId} and attempts = ${attempts} and state in ('WAITING', 'DROPPED') and leased_until is not null`
}

/** Frees a lease, unless another worker has taken the envelope since. The number of attempts stays raised, so that the next taking has another one than
 *  the run that is left behind. An archived envelope stays leased: it is not erased under that run's hands. */
export async function releaseSealLease(
  sql: Sql,
  { orgId, envelopeId, attempts }: Pick<LeasedSeal, 'orgId' | 'envelopeId' | 'attempts'>,
): Promise<void> {
  await sql`
    update seal_intents
    set released = released + 1, leased_until = null
    where org_id = ${orgId} and envelope_id = ${envelopeId} and attempts = ${attempts} and state = 'WAITING' and leased_until is not null`
}

/** The promise is kept. False when it had been kept before, so that what follows happens once. */
export async function markSealDone(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<boolean> {
  const rows = await sql`
    update seal_intents
    set state = 'DONE', done_at = sealwright_now(), leased_until = null, last_error = null
    where org_id = ${orgId} and envelope_id = ${envelopeId} and state not in ('DONE', 'DROPPED')
    returning envelope_id`
  return rows.length > 0
}

/** Lets an envelope wait. False, and nothing done, when another worker has taken it since, or it was handed back: a slow one's failure says nothing about
 *  the other's try. */
export async function delaySeal(
  sql: Sql,
  { orgId, envelopeId, attempts }: Pick<LeasedSeal, 'orgId' | 'envelopeId' | 'attempts'>,
  failure: { error: string; delaySeconds: number; park: boolean; counts: boolean },
): Promise<boolean> {
  const rows = await sql`
    update seal_intents
    set attempts = attempts - case when ${failure.counts} then 0 else 1 end, failures = failures + case when ${failure.counts} then 1 else 0 end, state = case when ${failure.park} then 'PARKED' else state end, last_error = ${failure.error}, leased_until = null,
      due_at = sealwright_now() + make_interval(secs => ${failure.delaySeconds})
    where org_id = ${orgId} and envelope_id = ${envelopeId} and attempts = ${attempts} and state = 'WAITING' and leased_until is not null
    returning envelope_id`
  return rows.length > 0
}

/** Makes a waiting or parked envelope due now with its attempts anew, and answers the trace of its last signature; undefined when there is none to seal. */
export async function resetSeal(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
): Promise<Pick<LeasedSeal, 'traceParent'> | undefined> {
  const [row] = await sql<Pick<LeasedSeal, 'traceParent'>[]>`
    update seal_intents
    set state = 'WAITING', attempts = 0, failures = 0, released = 0, due_at = sealwright_now(), leased_until = null
    where org_id = ${orgId} and envelope_id = ${envelopeId} and state not in ('DONE', 'DROPPED')
    returning trace_parent`
  return row
}

export interface SealStatusRow {
  orgId: OrgId
  envelopeId: EnvelopeId
  title: string
  state: 'WAITING' | 'PARKED'
  attempts: number
  dueAt: Date
  lastError: string | null
  createdAt: Date
}

/** What is not sealed yet, oldest first. */
export async function listUnsealed(sql: Sql): Promise<SealStatusRow[]> {
  return sql<SealStatusRow[]>`
    select i.org_id, i.envelope_id, e.title, i.state, i.attempts, i.due_at, i.last_error, i.created_at
    from seal_intents i
    join envelopes e on e.org_id = i.org_id and e.id = i.envelope_id
    where i.state = 'WAITING' or i.state = 'PARKED'
    order by i.created_at, i.envelope_id`
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

/** Records what was sealed before it is stored. A document that has been sealed before keeps its first seal; then false. */
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

/** The sealed documents whose bytes are to be kept: none once the envelope's documents have come to their end, when they may be erased already. */
export async function listKeptCopies(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<{ documentId: DocumentId }[]> {
  return sql<{ documentId: DocumentId }[]>`
    select s.document_id
    from sealed_documents s
    join envelopes e on e.org_id = s.org_id and e.id = s.envelope_id
    where s.org_id = ${orgId} and s.envelope_id = ${envelopeId} and e.archived_at is null`
}

/** Every copy of the envelope is in store. */
export async function markSealsStored(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`
    update sealed_documents
    set stored_at = sealwright_now(), increment = null
    where org_id = ${orgId} and envelope_id = ${envelopeId} and stored_at is null`
}

/** Whose signature it is; the one look-up before the organisation is known. */
export async function findSignatureOwner(sql: Sql, id: SignatureId): Promise<OrgId | undefined> {
  const [row] = await sql<{ orgId: OrgId }[]>`select org_id from find_signature_owner(${id})`
  return row?.orgId
}

export interface SignatureRow {
  envelopeId: EnvelopeId
  signedAt: Date
  signerEmail: string
  signerName: string
  /** How many documents the envelope has. */
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
