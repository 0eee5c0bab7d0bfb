// The SQL of changes that Kubernetes has to be shown.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { MirrorChange } from './mirror-change.ts'

/** Selects objects to show, in the order of their latest change. */
export async function selectChanges(sql: Sql, limit: number, afterSeq: number): Promise<MirrorChange[]> {
  return sql<MirrorChange[]>`
    select kind, org_id, id, seq, changed_at
    from mirror_changes
    where seq > ${afterSeq}
    order by seq
    limit ${limit}`
}

/** Deletes those that have not changed again, and leaves those that a transaction is changing. */
export async function deleteChanges(sql: Sql, changes: readonly Pick<MirrorChange, 'kind' | 'id' | 'seq'>[]): Promise<number> {
  const seen = changes.map(({ kind, id, seq }) => ({ kind, id, seq }))
  const rows = await sql`
    delete from mirror_changes c
    using (
      select m.kind, m.id
      from jsonb_to_recordset(${sql.json(seen)}) as seen (kind text, id uuid, seq bigint)
      join mirror_changes m using (kind, id, seq)
      for update of m skip locked
    ) done
    where c.kind = done.kind and c.id = done.id
    returning c.id`
  return rows.length
}

/** Seconds since the oldest change that waits; 0 without one. */
export async function selectAge(sql: Sql): Promise<number> {
  const [row] = await sql<{ age: number }[]>`
    select greatest(0, coalesce(extract(epoch from sealwright_now() - min(changed_at)), 0))::float8 as age from mirror_changes`
  return row?.age ?? 0
}
