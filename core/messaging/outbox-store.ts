// The SQL of the outbox: rows are written in the transaction of the change and published by a relay after the commit.
// The trigger outbox_notify notifies the relays.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { commitAsynchronously } from '#core/platform/postgres/before-commit.ts'
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'
import type { Subject } from './subjects.ts'

/** A power of two; the schema has the same number. */
const PARTITIONS = 16
/** Any constant: the class of the advisory locks that relays hold on partitions. */
const RELAY_LOCK = 7_325_003

type Body = { readonly [key: string]: JsonValue }

export interface OutboxRow {
  id: string
  orgId: OrgId
  partition: number
  subject: Subject
  body: Body
  traceParent: string | null
}

/** A row to insert. Rows with the same `orderKey`, usually an envelope's id, are published in the order of insertion. */
export interface OutboxMessage {
  orderKey: string
  subject: Subject
  body: Body
  /** When it is not the trace that is current. */
  traceParent?: string | null
}

/** Inserts the messages in their order with one statement; with none when there are no messages. */
export async function insertOutbox(sql: Sql, orgId: OrgId, ...messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return
  const current = currentTraceParent()
  const rows = messages.map(({ orderKey, subject, body, traceParent }, place) => {
    return { place, key: orderKey, subject, body: { ...body }, parent: traceParent ?? current }
  })
  await sql`
    insert into outbox (org_id, partition, subject, body, trace_parent)
    select ${orgId}::uuid, hashtext(m.key) & ${PARTITIONS - 1}, m.subject, m.body, m.parent
    from jsonb_to_recordset(${sql.json(rows)}) as m (place integer, key text, subject text, body jsonb, parent text)
    order by m.place`
}

/** Locks up to `most` partitions with unpublished rows for this transaction and skips those that another relay has locked. Answers how many it locked and
 *  stores them in a setting of the transaction, from which `takeUnpublished`, pipelined behind it, reads them. */
export async function lockPartitions(sql: Sql, most: number): Promise<number> {
  const [row] = await sql<{ partitions: number }[]>`
    with waiting as materialized ( -- materialized, so that no partition without rows is locked
      select partition
      from generate_series(0, ${PARTITIONS - 1}) partition
      where exists (select from outbox o where o.partition = partition.partition and o.published_at is null)
      order by random()
    ), locked as materialized (
      select partition from waiting where pg_try_advisory_xact_lock(${RELAY_LOCK}, partition) limit ${most}
    )
    select count(*)::int as partitions, set_config('sealwright.partitions', coalesce(array_agg(partition), '{}')::text, true),
      ${commitAsynchronously(sql)} -- a row whose mark is lost is published again
    from locked`
  return row?.partitions ?? 0
}

/** Marks the oldest unpublished rows of the locked partitions as published and returns them in order. A separate statement, so that its snapshot is taken
 *  under the locks and does not show rows as unpublished that another relay has just published. */
export async function takeUnpublished(
  sql: Sql,
  { most, ofPartition }: { most: number; ofPartition: number },
): Promise<OutboxRow[]> {
  return sql<OutboxRow[]>`
    with taken as (
      update outbox
      set published_at = sealwright_now()
      where id = any(array( -- not a join, for which Postgres may scan the whole table
        select waiting.id
        from unnest(current_setting('sealwright.partitions')::smallint[]) as held (partition)
        cross join lateral ( -- per partition, in index order: otherwise Postgres may scan all published rows
          select id from outbox where partition = held.partition and published_at is null order by id limit ${ofPartition}) waiting
        order by waiting.id
        limit ${most}))
      returning id, org_id, partition, subject, body, trace_parent)
    select id::text, org_id, partition, subject, body, trace_parent
    from taken
    order by taken.id -- numerically; a bare id is the text selected above, in which 10 sorts before 2`
}
