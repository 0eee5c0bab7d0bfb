// The SQL of quotas. Counters change in the transaction that uses them, so parallel requests can never share the last unit.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { WindowDimension } from './rules.ts'

/** Adds to the storage in use and returns the new sum; locks the organisation's row until the transaction ends. */
export async function addStorageBytes(sql: Sql, orgId: OrgId, bytes: number): Promise<number> {
  const [row] = await sql<{ storageBytes: number }[]>`
    update organisations set storage_bytes = storage_bytes + ${bytes} where id = ${orgId} returning storage_bytes`
  return row?.storageBytes ?? 0
}

/** Adds to the number of open envelopes and returns the new sum; locks the organisation's row until the transaction ends. */
export async function addOpenEnvelopes(sql: Sql, orgId: OrgId, count: number): Promise<number> {
  const [row] = await sql<{ openEnvelopes: number }[]>`
    update organisations set open_envelopes = open_envelopes + ${count} where id = ${orgId} returning open_envelopes`
  return row?.openEnvelopes ?? 0
}

export interface WindowUse {
  dimension: WindowDimension
  used: number
  /** How long ago the window began. */
  ageSeconds: number
}

/** Adds to the current windows of some dimensions, in one order for all, so that no two wait for each other; answers the new sums. */
export async function addToWindows(
  sql: Sql,
  orgId: OrgId,
  counts: readonly { dimension: WindowDimension; window: 'day' | 'hour'; count: number }[],
): Promise<WindowUse[]> {
  return sql<WindowUse[]>`
    insert into quota_windows (org_id, dimension, starts_at, used)
    select ${orgId}::uuid, c.dimension, date_trunc(c."window", sealwright_now()), c.count
    from jsonb_to_recordset(${sql.json(counts)}) as c (dimension text, "window" text, count integer)
    order by c.dimension
    on conflict (org_id, dimension, starts_at) do update set used = quota_windows.used + excluded.used
    returning dimension, used, extract(epoch from sealwright_now() - starts_at)::float as age_seconds`
}

/** What is in use now, whenever it was taken. */
export async function findInUse(sql: Sql, orgId: OrgId): Promise<{ storageBytes: number; openEnvelopes: number }> {
  const [row] = await sql<{ storageBytes: number; openEnvelopes: number }[]>`
    select storage_bytes, open_envelopes from organisations where id = ${orgId}`
  return row ?? { storageBytes: 0, openEnvelopes: 0 }
}

/** What was taken in the current window of a dimension. */
export async function findInWindow(sql: Sql, orgId: OrgId, dimension: WindowDimension, window: 'day' | 'hour'): Promise<number> {
  const [row] = await sql<{ used: number }[]>`
    select used
    from quota_windows
    where org_id = ${orgId} and dimension = ${dimension} and starts_at = date_trunc(${window}, sealwright_now())`
  return row?.used ?? 0
}
