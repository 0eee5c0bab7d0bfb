// The SQL of uploaded documents. A row is written before its bytes are stored and counts once `stored_at` is set.
import type { Caller } from '#core/context.ts'
import type { DocumentId, EnvelopeId, OrgId } from '#core/ids.ts'
import type { Inspection, StoredInspection } from '#core/pdf/inspect/inspection.ts'
import type { PageInk } from '#core/pdf/placement/ink-grid.ts'
import type { SealPlaces } from '#core/pdf/placement/seal-places.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { rolesOf } from '#core/account/workspace/store.ts'
import type { DocumentKey } from './rules.ts'
import type { Document, UploadNormalisation } from './document.ts'

export interface NewDocument {
  id: DocumentId
  filename: string
  sizeBytes: number
  sha256: Buffer
  storageKey: string
  inspection: Inspection
  normalisation: UploadNormalisation | null
  createdBy: string
}

export async function insertDocument(sql: Sql, orgId: OrgId, document: NewDocument): Promise<void> {
  const { places, ink, ...inspection } = document.inspection
  await sql`
    insert into documents (org_id, id, filename, size_bytes, sha256, normalised_reason, upload_sha256, storage_key, inspection, seal_places, page_ink,
      created_by)
    values (${orgId}, ${document.id}, ${document.filename}, ${document.sizeBytes}, ${document.sha256},
      ${document.normalisation?.reason ?? null}, ${document.normalisation?.uploadSha256 ?? null}, ${document.storageKey},
      ${toJson(sql, inspection)}, ${toJson(sql, places)}, ${toJson(sql, ink)}, ${document.createdBy})`
}

function toJson(sql: Sql, value: object) {
  return sql.json(JSON.parse(JSON.stringify(value)))
}

/** The statement that acknowledges an upload; returns no row when it was acknowledged before, or swept. */
export function markStored(sql: Sql, orgId: OrgId, id: DocumentId) {
  return sql<Document[]>`
    update documents
    set stored_at = sealwright_now()
    where org_id = ${orgId} and id = ${id} and stored_at is null
    returning id, filename, size_bytes, created_at`
}

export interface LockedUpload {
  id: DocumentId
  envelopeId: EnvelopeId | null
  /** The hash of the file as it was uploaded, when it was normalised. */
  uploadSha256: Buffer | null
}

/** Attachable uploads, locked in the order of their ids, so that two envelopes with the same ones never deadlock. Expired ones are left out; attached
 *  ones name their envelope. No statement when none is named. */
export async function lockUploads(
  sql: Sql,
  orgId: OrgId,
  ids: readonly DocumentId[],
  ttlSeconds: number,
): Promise<LockedUpload[]> {
  if (ids.length === 0) return []
  return sql<LockedUpload[]>`
    select id, envelope_id, upload_sha256
    from documents
    where org_id = ${orgId} and id = any(${sql.array([...ids])}::uuid[]) and stored_at is not null
      and (envelope_id is not null or created_at > sealwright_now() - make_interval(secs => ${ttlSeconds}))
    order by id
    for update`
}

/** Whether the caller may read all of these envelopes; an expired draft is not readable. */
export async function areEnvelopesReadable(sql: Sql, caller: Caller, ids: readonly EnvelopeId[]): Promise<boolean> {
  const distinct = [...new Set(ids)]
  const rows = await sql`
    select e.id
    from envelopes e
    join ${rolesOf(sql, caller)} g on g.workspace_id = e.workspace_id
    where e.org_id = ${caller.orgId} and e.id = any(${sql.array(distinct)}::uuid[])`
  return rows.length === distinct.length
}

/** Attaches documents in order after the last position taken; returns how many were still unattached. No statement when none is named. */
export async function attachDocuments(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  ids: readonly DocumentId[],
  lastPosition: number,
): Promise<number> {
  if (ids.length === 0) return 0
  const { count } = await sql`
    update documents d
    set envelope_id = ${envelopeId}, position = ${lastPosition} + n.place
    from unnest(${sql.array([...ids])}::uuid[]) with ordinality as n (id, place)
    where d.org_id = ${orgId} and d.id = n.id and d.envelope_id is null`
  return count
}

/** The number of the envelope's documents and the last position taken. */
export async function countDocuments(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
): Promise<{ count: number; lastPosition: number }> {
  const [row] = await sql<{ count: number; lastPosition: number }[]>`
    select count(*)::int as count, coalesce(max(position), 0) as last_position
    from documents
    where org_id = ${orgId} and envelope_id = ${envelopeId}`
  return row ?? { count: 0, lastPosition: 0 }
}

export interface EnvelopeDocument extends Document {
  storageKey: string
  sha256: Buffer
  sealedKey: string | null
}

/** The documents of an envelope in order, with their sealed copies, if any. */
export async function listDocuments(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<EnvelopeDocument[]> {
  return sql<EnvelopeDocument[]>`
    select d.id, d.filename, d.size_bytes, d.created_at, d.storage_key, d.sha256, s.storage_key as sealed_key
    from documents d
    left join sealed_documents s on s.org_id = d.org_id and s.document_id = d.id and s.stored_at is not null
    where d.org_id = ${orgId} and d.envelope_id = ${envelopeId}
    order by d.position`
}

export interface DocumentPlaces {
  id: DocumentId
  sealPlaces: SealPlaces
  /** Sign orders of all signers of the envelope, ascending. */
  signOrders: number[]
}

/** The statement that reads where seals go, for each document of an envelope; erased ones are left out. */
export function selectSealPlaces(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId) {
  return sql<DocumentPlaces[]>`
    select d.id, d.seal_places,
      array(select s.sign_order from signers s where s.org_id = d.org_id and s.envelope_id = d.envelope_id order by s.sign_order) as sign_orders
    from documents d
    where d.org_id = ${orgId} and d.envelope_id = ${envelopeId} and d.seal_places <> '{}'`
}

/** What is on the pages of a document; nothing for an erased one. */
export async function listPageInk(sql: Sql, orgId: OrgId, id: DocumentId): Promise<PageInk[]> {
  const [row] = await sql<{ pageInk: PageInk[] }[]>`select page_ink from documents where org_id = ${orgId} and id = ${id}`
  return row?.pageInk ?? []
}

/** What the search for room needs; no row for an erased document. */
export function selectInspection(sql: Sql, orgId: OrgId, id: DocumentId) {
  return sql<{ inspection: StoredInspection; pageInk: PageInk[] }[]>`
    select inspection, page_ink from documents where org_id = ${orgId} and id = ${id} and inspection <> '{}'`
}

export interface DocumentToSeal {
  id: DocumentId
  sizeBytes: number
  storageKey: string
  inspection: StoredInspection
  sealPlaces: SealPlaces
  /** Whether the hash of the sealed copy was recorded before. */
  isRecorded: boolean
}

/** The documents of an envelope in order, with everything that sealing needs. */
export async function listDocumentsToSeal(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<DocumentToSeal[]> {
  return sql<DocumentToSeal[]>`
    select d.id, d.size_bytes, d.storage_key, d.inspection, d.seal_places,
      exists (select from sealed_documents s where s.org_id = d.org_id and s.document_id = d.id offset 0) as is_recorded -- never all of them, hashed
    from documents d
    where d.org_id = ${orgId} and d.envelope_id = ${envelopeId}
    order by d.position`
}

export async function deleteDocument(sql: Sql, orgId: OrgId, id: DocumentId): Promise<{ sizeBytes: number } | undefined> {
  const [row] = await sql<{ sizeBytes: number }[]>`
    delete from documents where org_id = ${orgId} and id = ${id} and envelope_id is null returning size_bytes`
  return row
}

/** Deletes an upload that was never acknowledged. */
export async function deleteUnstored(sql: Sql, orgId: OrgId, id: DocumentId): Promise<{ sizeBytes: number } | undefined> {
  const [row] = await sql<{ sizeBytes: number }[]>`
    delete from documents where org_id = ${orgId} and id = ${id} and stored_at is null returning size_bytes`
  return row
}

/** Uploads that were not attached in time, locked; also those whose bytes never arrived. */
export async function lockUnattached(
  sql: Sql,
  ttlSeconds: number,
  most: number,
): Promise<{ orgId: OrgId; id: DocumentId; storageKey: string }[]> {
  return sql<{ orgId: OrgId; id: DocumentId; storageKey: string }[]>`
    select org_id, id, storage_key
    from documents
    where envelope_id is null and created_at <= sealwright_now() - make_interval(secs => ${ttlSeconds})
    order by created_at
    limit ${most}
    for update skip locked`
}

/** The keys that no row names with bytes to keep: the row of an erased envelope stays, for its name and hash. */
export async function selectOrphans(sql: Sql, keys: readonly DocumentKey[]): Promise<string[]> {
  const originals = keys.filter((key) => key.kind === 'original')
  const sealed = keys.filter((key) => key.kind === 'sealed')
  const reports = keys.filter((key) => key.kind === 'report')
  const rows = await sql<{ key: string }[]>`
    select k.key
    from unnest(${originals.map(({ key }) => key)}::text[], ${originals.map(({ orgId }) => orgId)}::uuid[], ${originals.map(({ id }) => id)}::uuid[])
      k (key, org_id, id)
    where not exists (
      select from documents d
      left join envelopes e on e.org_id = d.org_id and e.id = d.envelope_id
      where d.org_id = k.org_id and d.id = k.id and e.erased_at is null)
    union all
    select k.key
    from unnest(${sealed.map(({ key }) => key)}::text[], ${sealed.map(({ orgId }) => orgId)}::uuid[], ${sealed.map(({ sha256 }) => sha256)}::text[])
      k (key, org_id, sha256)
    where not exists (
      select from sealed_documents s
      join envelopes e on e.org_id = s.org_id and e.id = s.envelope_id
      where s.org_id = k.org_id and s.sha256 = decode(k.sha256, 'hex') and e.erased_at is null)
    union all
    select k.key
    from unnest(${reports.map(({ key }) => key)}::text[], ${reports.map(({ orgId }) => orgId)}::uuid[], ${reports.map(({ sha256 }) => sha256)}::text[])
      k (key, org_id, sha256)
    where not exists (
      select from audit_reports r
      join envelopes e on e.org_id = r.org_id and e.id = r.envelope_id
      where r.org_id = k.org_id and r.sha256 = decode(k.sha256, 'hex') and e.erased_at is null)`
  return rows.map(({ key }) => key)
}
