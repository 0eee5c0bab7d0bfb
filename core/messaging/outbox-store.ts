// The SQL of the outbox: rows written with the change they tell of, taken by a relay after the commit.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { commitAsynchronously } from '#core/platform/postgres/async-commit.ts'
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'
import type { Subject } from './subjects.ts'

/** A power of two; the schema knows it as well. */
const LANES = 16
/** Any constant: the class of the locks that relays hold on lanes. */
const RELAY_LOCK = 7_325_003

type Body = { readonly [key: string]: JsonValue }

export interface OutboxRow {
  id: string
  orgId: OrgId
  lane: number
  subject: Subject
  body: Body
  traceParent: string | null
}

/** What a row is to be written from. Those with the same `orderKey`, an envelope's id as a rule, are published in the order of their insertion. */
export interface OutboxMessage {
  orderKey: string
  subject: Subject
  body: Body
  /** Of what asked for the work, when that was not what is under way. */
  traceParent?: string | null
}

/** Writes the messages in their order, by one statement; by none when there are none. */
export async function insertOutbox(sql: Sql, orgId: OrgId, ...messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return
  const current = currentTraceParent()
  const rows = messages.map(({ orderKey, subject, body, traceParent }, place) => {
    return { place, key: orderKey, subject, body: { ...body }, parent: traceParent ?? current }
  })
  await sql`
    insert into outbox (org_id, lane, subject, body, trace_parent)
    select ${orgId}::uuid, hashtext(m.key) & ${LANES - 1}, m.subject, m.body, m.parent
    from jsonb_to_recordset(${sql.json(rows)}) as m (place integer, key text, subject text, body jsonb, parent text)
    order by m.place`
}

/** Takes up to `most` lanes with rows to publish for this transaction; lanes that another relay has are passed over. Answers how many it has, and
 *  leaves word of them for `takeUnpublished`, which is asked for together with it: a setting of the transaction tells one statement of the other. */
export async function lockLanes(sql: Sql, most: number): Promise<number> {
  const [row] = await sql<{ lanes: number }[]>`
    with waiting as materialized ( -- apart, so that no lane without rows is locked
      select lane
      from generate_series(0, ${LANES - 1}) lane
      where exists (select from outbox o where o.lane = lane.lane and o.published_at is null)
      order by random()
    ), locked as materialized (
      select lane from waiting where pg_try_advisory_xact_lock(${RELAY_LOCK}, lane) limit ${most}
    )
    select count(*)::int as lanes, set_config('sealwright.lanes', coalesce(array_agg(lane), '{}')::text, true),
      ${commitAsynchronously(sql)} -- a row whose mark is lost rings again
    from locked`
  return row?.lanes ?? 0
}

/** Marks the oldest unpublished rows of the locked lanes as published, and answers them in their order. A statement of its own, whose snapshot is
 *  taken when the lanes are held: what the relay before has published is not seen as unpublished. */
export async function takeUnpublished(sql: Sql, { most, ofLane }: { most: number; ofLane: number }): Promise<OutboxRow[]> {
  return sql<OutboxRow[]>`
    with taken as (
      update outbox
      set published_at = sealwright_now()
      where id = any(array( -- not as a join, for which Postgres may read the whole table
        select waiting.id
        from unnest(current_setting('sealwright.lanes')::smallint[]) as held (lane)
        cross join lateral ( -- lane by lane, in the order of the index: else Postgres may read through all that has been published
          select id from outbox where lane = held.lane and published_at is null order by id limit ${ofLane}) waiting
        order by waiting.id
        limit ${most}))
      returning id, org_id, lane, subject, body, trace_parent)
    select id::text, org_id, lane, subject, body, trace_parent
    from taken
    order by taken.id -- the number; a bare id would be the text selected above, in which 10 stands before 2`
}
