// The SQL of the audit trail: rows are only added and read; triggers and grants refuse everything else.
// Triggers: audit_events_fixed, audit_events_kept, audit_heads_fixed, audit_heads_forward, audit_heads_kept.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { ChainHead, ChainRow } from './chain-walk.ts'

export interface ChainEnd {
  /** 0 while the chain has no row. */
  seq: number
  hash: Buffer | null
  /** The MAC of the head; empty when the head was removed. */
  mac: Buffer
  /** Time of the next row: now, but never before the previous row, whose transaction may have begun later and finished earlier. */
  at: string
}

/** Serialises appends to an envelope's chain: takes the row lock of its envelope until the transaction ends. */
export async function lockChain(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`select 1 from envelopes where org_id = ${orgId} and id = ${envelopeId} for update`
}

/** The end of an envelope's chain. The caller holds the envelope's row lock. */
export async function findChainEnd(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<ChainEnd> {
  const [row] = await sql<ChainEnd[]>`
    select coalesce(h.seq, e.seq, 0) as seq, coalesce(h.hash, e.hash) as hash, coalesce(h.mac, '') as mac,
      to_char(greatest(h.at, e.at, sealwright_now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from (select ${orgId}::uuid as org_id, ${envelopeId}::uuid as envelope_id) c
    left join audit_heads h on h.org_id = c.org_id and h.envelope_id = c.envelope_id
    left join lateral (
      select seq, hash, at
      from audit_events
      where h.seq is null and org_id = c.org_id and envelope_id = c.envelope_id
      order by seq desc
      limit 1) e on true`
  if (!row) throw new Error('The database did not tell the end of the audit trail.')
  return row
}

/** Appends the rows of one transaction to an envelope's chain and advances its head, in one statement. */
export async function insertAuditEvents(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  rows: readonly ChainRow[],
  head: ChainHead & { at: string },
): Promise<void> {
  const values = rows.map(({ previousHash, hash, mac, userAgent, actor, detail, ...rest }) => ({
    ...rest,
    actor: { ...actor },
    agent: userAgent,
    detail: { ...detail },
    previous: previousHash.toString('hex'),
    hash: hash.toString('hex'),
    mac: mac.toString('hex'),
  }))
  await sql`
    with events as (
      insert into audit_events (org_id, envelope_id, seq, at, actor, action, address, user_agent, detail, previous_hash, hash, mac)
      select ${orgId}::uuid, ${envelopeId}::uuid, r.seq, r.at, r.actor, r.action, r.address, r.agent, r.detail, decode(r.previous, 'hex'),
        decode(r.hash, 'hex'), decode(r.mac, 'hex')
      from jsonb_to_recordset(${sql.json(values)}) as r (seq integer, at timestamptz, actor jsonb, action text, address text, agent text,
        detail jsonb, previous text, hash text, mac text))
    insert into audit_heads (org_id, envelope_id, seq, at, hash, mac, pending_at)
    values (${orgId}, ${envelopeId}, ${head.seq}, ${head.at}::text::timestamptz, ${head.hash}, ${head.mac}, ${head.at}::text::timestamptz)
    on conflict (org_id, envelope_id) do update
    set seq = excluded.seq, at = excluded.at, hash = excluded.hash, mac = excluded.mac,
      pending_at = coalesce(audit_heads.pending_at, excluded.pending_at)`
}

/** The row of the last signature. */
export async function findCompletion(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<ChainHead | undefined> {
  const [row] = await sql<ChainHead[]>`
    select seq, hash, mac
    from audit_events
    where org_id = ${orgId} and envelope_id = ${envelopeId} and action = 'envelope.completed'
    order by seq
    limit 1`
  return row
}

/** The head of an envelope's chain with its MAC. */
export async function findHead(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<ChainHead | undefined> {
  const [row] = await sql<ChainHead[]>`
    select seq, hash, mac from audit_heads where org_id = ${orgId} and envelope_id = ${envelopeId}`
  return row
}

/** The whole chain of an envelope, oldest first. */
export async function listAuditEvents(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<ChainRow[]> {
  return sql<ChainRow[]>`
    select envelope_id, seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor, action, address, user_agent,
      detail, previous_hash, hash, mac
    from audit_events
    where org_id = ${orgId} and envelope_id = ${envelopeId}
    order by seq`
}
