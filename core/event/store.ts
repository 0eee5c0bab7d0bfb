// The SQL of events. The body is the exact text that receivers get; it is rendered once.
// The triggers events_inserted and events_released plan the deliveries of released events: core/schema/README.md.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { EventType } from '#core/messaging/subjects.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'

export interface NewEvent {
  id: string
  envelopeId: EnvelopeId
  type: EventType
  /** Null when it could not be rendered, with the reason in `buildError`. */
  body: string | null
  buildError: string | null
  /** Held events are released later; until then no receiver gets them. */
  isHeld: boolean
}

/** Inserts the events in order. */
export async function insertEvents(sql: Sql, orgId: OrgId, events: readonly NewEvent[]): Promise<void> {
  const rows = events.map(({ id, envelopeId, type, body, buildError, isHeld }, place) => {
    return { place, id, envelope: envelopeId, type, body, error: buildError, held: isHeld }
  })
  await sql`
    insert into events (org_id, id, envelope_id, type, body, build_error, released_at, trace_parent)
    select ${orgId}::uuid, e.id, e.envelope, e.type, e.body, e.error, case when e.held then null else sealwright_now() end,
      ${currentTraceParent()}
    from jsonb_to_recordset(${sql.json(rows)})
      as e (place integer, id uuid, envelope uuid, type text, body text, error text, held boolean)
    order by e.place`
}

/** Releases the held events of an envelope, if any are left. */
export async function releaseEventsOf(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`
    update events
    set released_at = sealwright_now()
    where org_id = ${orgId} and envelope_id = ${envelopeId} and released_at is null`
}

export interface ReleasedEvent {
  orgId: OrgId
  id: string
  envelopeId: EnvelopeId
}

/** Releases events that have been held for this long, oldest first; skips events that another transaction is releasing. */
export async function releaseOverdueEvents(sql: Sql, heldSeconds: number, most: number): Promise<ReleasedEvent[]> {
  return sql<ReleasedEvent[]>`
    update events
    set released_at = sealwright_now()
    where (org_id, id) in (
      select org_id, id
      from events
      where released_at is null and created_at <= sealwright_now() - make_interval(secs => ${heldSeconds})
      order by created_at
      limit ${most}
      for update skip locked)
    returning org_id, id, envelope_id`
}
