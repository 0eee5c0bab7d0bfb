// The SQL of quotas. Counters change in the transaction that uses them, so parallel requests cannot both take the last unit; `within_quota` raises an
// error above the limit, where 0 means none.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { WindowDimension } from './rules.ts'

export interface InUse {
  storageBytes: number
  openEnvelopes: number
}

/** The content of a quota error without a window. */
export interface HeldLimit {
  limit: number
  retryAfterSeconds: number
}

export interface StorageLimit extends HeldLimit {
  /** Uploads that stayed unattached for this long do not count, deleted or not. */
  uploadTtlSeconds: number
}

/** Adds to the storage in use; locks the organisation's row until the transaction ends. */
export const takeStorage = (
  sql: Sql,
  orgId: OrgId,
  bytes: number,
  { limit, retryAfterSeconds, uploadTtlSeconds }: StorageLimit,
) => sql<object[]>`select from take_storage(${orgId}, ${bytes}, ${limit}, ${uploadTtlSeconds}, ${retryAfterSeconds})`

/** Adds one to the number of open envelopes; locks the organisation's row until the transaction ends. */
export const takeOpenEnvelope = (sql: Sql, orgId: OrgId, { limit, retryAfterSeconds }: HeldLimit) =>
  sql<object[]>`select from take_open_envelope(${orgId}, ${limit}, ${retryAfterSeconds})`

/** Subtracts from both what has ended. */
export const subtractInUse = (sql: Sql, orgId: OrgId, { storageBytes, openEnvelopes }: InUse) => sql<object[]>`
  update organisations
  set storage_bytes = storage_bytes - ${storageBytes}, open_envelopes = open_envelopes - ${openEnvelopes}
  where id = ${orgId}`

export interface TakenInWindow {
  dimension: WindowDimension
  window: 'day' | 'hour'
  added: number
  limit: number
}

/** Adds to the current windows of some dimensions, always in the same order, so that no two transactions deadlock; locks their rows until the
 *  transaction ends. When several are full, the error names the first. */
export function addToWindows(sql: Sql, orgId: OrgId, taken: readonly TakenInWindow[]) {
  const wanted = sql.json(taken.map((each, place) => ({ ...each, place })))
  return sql<object[]>`
    with added as (
      insert into quota_windows (org_id, dimension, starts_at, used)
      select ${orgId}::uuid, w.dimension, date_trunc(w."window", sealwright_now()), w.added
      from jsonb_to_recordset(${wanted}) as w (dimension text, "window" text, added integer)
      order by w.dimension
      on conflict (org_id, dimension, starts_at) do update set used = quota_windows.used + excluded.used
      returning dimension, used, starts_at
    )
    select within_quota(a.used, w.added, w."limit", w.dimension,
      ceil(extract(epoch from a.starts_at + ('1 ' || w."window")::interval - sealwright_now()))::integer)
    from jsonb_to_recordset(${wanted}) as w (dimension text, "window" text, added integer, "limit" bigint, place integer)
    join added a using (dimension)
    order by w.place`
}

/** Counts emails in the current hour and defers those over `limit`, the last first, to a later one; locks the rows of those hours until the
 *  transaction ends. */
export const bookMails = (sql: Sql, orgId: OrgId, mailIds: readonly string[], limit: number) => sql<object[]>`
  select from book_mails(${orgId}, ${sql.array([...mailIds])}::uuid[], ${limit})`

/** The current use, without what has ended and waits for its sweep. */
export async function findInUse(sql: Sql, orgId: OrgId, uploadTtlSeconds: number): Promise<InUse> {
  const [row] = await sql<InUse[]>`
    select storage_bytes - ended_storage_bytes(id, ${uploadTtlSeconds}) as storage_bytes, open_envelopes - ended_open_envelopes(id) as open_envelopes
    from organisations
    where id = ${orgId}`
  return row ?? { storageBytes: 0, openEnvelopes: 0 }
}

/** The use in the current window of a dimension. */
export async function findInWindow(sql: Sql, orgId: OrgId, dimension: WindowDimension, window: 'day' | 'hour'): Promise<number> {
  const [row] = await sql<{ used: number }[]>`
    select used
    from quota_windows
    where org_id = ${orgId} and dimension = ${dimension} and starts_at = date_trunc(${window}, sealwright_now())`
  return row?.used ?? 0
}
