// The SQL of the check: objects that must be in the object store, page by page, and versions that custom resources show. It crosses the rooms that own
// these tables.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { ShownVersion } from './shown-version.ts'

export interface NamedObject {
  orgId: string
  /** Id of the row; the order of the pages. */
  id: string
  key: string
  sha256: Buffer
  /** Null where the row does not record it. */
  sizeBytes: number | null
}

/** Where the page before ended. */
export type PageEnd = Pick<NamedObject, 'orgId' | 'id'>

export type SelectPage = (sql: Sql, after: PageEnd, most: number) => Promise<NamedObject[]>

/** Acknowledged uploads; not those of erased envelopes, whose rows stay. */
export const selectOriginals: SelectPage = (sql, after, most) => sql<NamedObject[]>`
  select d.org_id, d.id, d.storage_key as key, d.sha256, d.size_bytes
  from documents d
  left join envelopes e on e.org_id = d.org_id and e.id = d.envelope_id
  where (d.org_id, d.id) > (${after.orgId}, ${after.id}) and d.stored_at is not null and e.erased_at is null
  order by d.org_id, d.id
  limit ${most}`

export const selectSealedCopies: SelectPage = (sql, after, most) => sql<NamedObject[]>`
  select s.org_id, s.document_id as id, s.storage_key as key, s.sha256, s.size_bytes
  from sealed_documents s
  join envelopes e on e.org_id = s.org_id and e.id = s.envelope_id
  where (s.org_id, s.document_id) > (${after.orgId}, ${after.id}) and s.stored_at is not null and e.erased_at is null
  order by s.org_id, s.document_id
  limit ${most}`

export const selectReports: SelectPage = (sql, after, most) => sql<NamedObject[]>`
  select r.org_id, r.envelope_id as id, r.storage_key as key, r.sha256, null as size_bytes
  from audit_reports r
  join envelopes e on e.org_id = r.org_id and e.id = r.envelope_id
  where (r.org_id, r.envelope_id) > (${after.orgId}, ${after.id}) and r.state = 'DONE' and e.erased_at is null
  order by r.org_id, r.envelope_id
  limit ${most}`

/** Objects that show a later version than their row has, or a row that is gone; not those whose row another object has taken over. */
export async function selectWebhooksBehind(sql: Sql, shown: readonly ShownVersion[]): Promise<BehindRow[]> {
  return sql<BehindRow[]>`
    select s.namespace, s.name, s.row_version as shown, w.version
    from jsonb_to_recordset(${sql.json(shown.map(toRecord))})
      as s (namespace text, name text, uid text, row_id uuid, row_version bigint, shown_id uuid)
    left join webhooks w on w.object_uid = s.uid or w.id = s.row_id
    where s.row_version > coalesce(w.version, 0)
      and not exists (select from webhooks t where w.id is null and t.id = s.shown_id and t.object_uid is not null)`
}

export async function selectSigningKeysBehind(sql: Sql, shown: readonly ShownVersion[]): Promise<BehindRow[]> {
  return sql<BehindRow[]>`
    select s.namespace, s.name, s.row_version as shown, k.row_version as version
    from jsonb_to_recordset(${sql.json(shown.map(toRecord))}) as s (namespace text, name text, uid uuid, row_id uuid, row_version bigint)
    left join signing_keys k on k.object_uid = s.uid or k.id = s.row_id
      or (s.name = 'installation' and k.provider_type = 'INSTALLATION')
    where s.row_version > coalesce(k.row_version, 0)`
}

export interface BehindRow {
  namespace: string
  name: string
  shown: number
  /** Null without a row. */
  version: number | null
}

function toRecord({ namespace, name, uid, rowId, rowVersion, shownId }: ShownVersion) {
  return { namespace, name, uid, row_id: rowId, row_version: rowVersion, shown_id: shownId }
}
