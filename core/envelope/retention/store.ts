// The SQL of retention: how long documents are kept after the end of their envelope, by the organisation's choice or else the installation's setting.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** The retention of an envelope's documents; for every read of a document. */
export interface Retention {
  /** No longer available, whether or not their bytes are deleted yet. */
  archived: boolean
  /** Null while no end is set: the envelope is open, or under a legal hold. */
  endsInSeconds: number | null
}

/** Needs rows `e` of envelopes and `o` of organisations. */
function endOfKeeping(sql: Sql, retentionSeconds: number) {
  return sql`e.ended_at + coalesce(make_interval(days => o.retention_days), make_interval(secs => ${retentionSeconds}))`
}

export async function findRetention(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  { sealedRetentionSeconds }: { sealedRetentionSeconds: number },
): Promise<Retention> {
  const [row] = await sql<Retention[]>`
    select archived_at is not null or coalesce(ends_at <= sealwright_now(), false) as archived,
      extract(epoch from ends_at - sealwright_now())::float as ends_in_seconds
    from (
      select e.archived_at, case when e.held_at is null then ${endOfKeeping(sql, sealedRetentionSeconds)} end as ends_at
      from envelopes e
      join organisations o on o.id = e.org_id
      where e.org_id = ${orgId} and e.id = ${envelopeId}) k`
  return row ?? { archived: false, endsInSeconds: null }
}

export interface EndedEnvelope {
  orgId: OrgId
  id: EnvelopeId
}

/** Envelopes whose retention has ended, locked; skips rows that are locked elsewhere. */
export async function lockEnded(
  sql: Sql,
  retentionSeconds: number,
  most: number,
  passedOver: readonly string[],
): Promise<EndedEnvelope[]> {
  return sql<EndedEnvelope[]>`
    with ended as materialized (
      select d.org_id, d.id
      from organisations o
      cross join lateral (
        select e.org_id, e.id
        from envelopes e
        where e.org_id = o.id and e.archived_at is null and e.held_at is null and e.id <> all(${sql.array([...passedOver])}::uuid[])
          and e.ended_at <= sealwright_now() - coalesce(make_interval(days => o.retention_days), make_interval(secs => ${retentionSeconds}))
        order by e.ended_at
        limit ${most}) d
      limit ${most})
    select e.org_id, e.id
    from ended
    join envelopes e on e.org_id = ended.org_id and e.id = ended.id
    where e.archived_at is null and e.held_at is null
    order by e.org_id
    for update of e skip locked`
}

/** From now on the documents are unavailable, whatever settings and holds change; nothing is sealed any more. */
export async function markArchived(sql: Sql, { orgId, id }: EndedEnvelope): Promise<void> {
  await sql`
    with dropped as (
      update seal_jobs set state = 'DROPPED' where org_id = ${orgId} and envelope_id = ${id} and state in ('WAITING', 'DEAD')),
    dropped_report as (
      update audit_reports set state = 'DROPPED' where org_id = ${orgId} and envelope_id = ${id} and state in ('WAITING', 'DEAD'))
    update envelopes set archived_at = sealwright_now() where org_id = ${orgId} and id = ${id}`
}

/** Archived envelopes whose bytes still exist, without those that are being sealed or reported. NOTE: `offset 0` keeps the planner from reading all jobs
 *  for a few envelopes. */
export async function listToErase(sql: Sql, most: number, passedOver: readonly EnvelopeId[]): Promise<EndedEnvelope[]> {
  return sql<EndedEnvelope[]>`
    select e.org_id, e.id
    from envelopes e
    where e.archived_at is not null and e.erased_at is null and e.id <> all(${sql.array([...passedOver])}::uuid[])
      and not exists (
        select from seal_jobs i
        where i.org_id = e.org_id and i.envelope_id = e.id and i.state = 'DROPPED' and i.leased_until > sealwright_now()
        offset 0)
      and not exists (
        select from audit_reports r
        where r.org_id = e.org_id and r.envelope_id = e.id and r.state = 'DROPPED' and r.leased_until > sealwright_now()
        offset 0)
    order by e.archived_at
    limit ${most}`
}

/** False when another sweep has erased it, or is about to. */
export async function lockToErase(sql: Sql, { orgId, id }: EndedEnvelope): Promise<boolean> {
  const rows = await sql`
    select from envelopes where org_id = ${orgId} and id = ${id} and erased_at is null for update skip locked`
  return rows.length > 0
}

/** The keys of every object of the envelope: originals, sealed copies and the sealed report, whether or not they were stored. */
export async function listStorageKeys(sql: Sql, { orgId, id }: EndedEnvelope): Promise<string[]> {
  const rows = await sql<{ storageKey: string }[]>`
    select storage_key from documents where org_id = ${orgId} and envelope_id = ${id}
    union
    select storage_key from sealed_documents where org_id = ${orgId} and envelope_id = ${id}
    union
    select storage_key from audit_reports where org_id = ${orgId} and envelope_id = ${id} and storage_key is not null`
  return rows.map(({ storageKey }) => storageKey)
}

/** Deletes everything else that was read or drawn from the documents; returns how many bytes of the organisation's storage they took. Names, sizes
 *  and hashes stay. */
export async function markErased(sql: Sql, { orgId, id }: EndedEnvelope): Promise<number> {
  await sql`
    update signatures set appearance = ''
    where org_id = ${orgId} and signer_id in (select id from signers where org_id = ${orgId} and envelope_id = ${id})`
  await sql`delete from sealed_documents where org_id = ${orgId} and envelope_id = ${id} and stored_at is null`
  await sql`update audit_reports set pdf = null where org_id = ${orgId} and envelope_id = ${id} and pdf is not null`
  await sql`update envelopes set erased_at = sealwright_now() where org_id = ${orgId} and id = ${id}`
  const documents = await sql<{ sizeBytes: number }[]>`
    update documents set inspection = '{}', seal_places = '{}', page_ink = '[]' where org_id = ${orgId} and envelope_id = ${id} returning size_bytes`
  return documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** The start of the envelope's legal hold. The caller holds its lock, as for the two below. */
export async function findHold(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<Date | null> {
  const [row] = await sql<{ heldAt: Date | null }[]>`select held_at from envelopes where org_id = ${orgId} and id = ${id}`
  return row?.heldAt ?? null
}

export async function insertHold(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<Date> {
  const [row] = await sql<{ heldAt: Date }[]>`
    update envelopes set held_at = sealwright_now() where org_id = ${orgId} and id = ${id} returning held_at`
  if (!row) throw new Error('The hold was not written.')
  return row.heldAt
}

export async function clearHold(sql: Sql, orgId: OrgId, id: EnvelopeId): Promise<void> {
  await sql`update envelopes set held_at = null where org_id = ${orgId} and id = ${id}`
}
