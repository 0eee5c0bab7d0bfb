// The SQL of drafts' lifetime. Row-level security hides expired drafts, so no other query has to.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** Restarts the lifetime of an edited draft. The caller holds its lock. */
export async function touchDraft(sql: Sql, orgId: OrgId, id: EnvelopeId, ttlSeconds: number): Promise<void> {
  await sql`
    update envelopes
    set touched_at = sealwright_now(), drops_at = sealwright_now() + make_interval(secs => ${ttlSeconds})
    where org_id = ${orgId} and id = ${id} and status = 'DRAFT'`
}

/** Recomputes the end of drafts that was computed with another setting; returns how many. */
export async function measureDrafts(sql: Sql, ttlSeconds: number, most: number): Promise<number> {
  // By two ranges of the index: one statement with both would scan all of it.
  let measured = 0
  for (const isOther of [sql`<`, sql`>`]) {
    const rows = await sql`
      update envelopes
      set drops_at = touched_at + make_interval(secs => ${ttlSeconds})
      where (org_id, id) in (
        select org_id, id
        from envelopes
        where drops_at is not null and drops_at - touched_at ${isOther} make_interval(secs => ${ttlSeconds})
        order by drops_at - touched_at
        limit ${most}
        for update skip locked)
      returning id`
    measured += rows.length
  }
  return measured
}

/** Drafts that were unchanged for too long, locked. Those that have expired before are no drafts any more. */
export async function lockUntouched(
  sql: Sql,
  most: number,
  passedOver: readonly string[],
): Promise<{ orgId: OrgId; id: EnvelopeId }[]> {
  return sql<{ orgId: OrgId; id: EnvelopeId }[]>`
    select org_id, id
    from envelopes
    where drops_at <= sealwright_now() and (lapses_at is null or lapses_at > drops_at) and id <> all(${sql.array([...passedOver])}::uuid[])
    order by drops_at
    limit ${most}
    for update skip locked`
}
