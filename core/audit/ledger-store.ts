// The SQL of an organisation's ledger: the rows of all its envelopes' chains in commit order. Needs the system role.
// Triggers refuse changes: audit_ledger_fixed, audit_ledger_kept, audit_ledger_heads_fixed, audit_ledger_heads_forward, audit_ledger_heads_kept.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'

/** Organisations with rows that are not in their ledger yet. */
export async function listOrganisationsWithPendingRows(sql: Sql): Promise<OrgId[]> {
  const rows = await sql<{ orgId: OrgId }[]>`select distinct org_id from audit_heads where pending_at is not null order by org_id`
  return rows.map(({ orgId }) => orgId)
}

/** Makes this transaction the only one that extends the ledger; false when another one does. */
export async function tryLockLedger(sql: Sql, orgId: OrgId): Promise<boolean> {
  const [row] = await sql<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(hashtextextended('audit ledger ' || ${orgId}, 0)) as locked`
  return row?.locked ?? false
}

export interface LedgerEnd {
  /** 0 while the ledger has no row. */
  orgSeq: number
  hash: Buffer | null
  mac: Buffer
  /** Time of entry of the next rows: now, but never before the last rows. */
  enteredAt: string
}

export async function findLedgerEnd(sql: Sql, orgId: OrgId): Promise<LedgerEnd> {
  const [row] = await sql<LedgerEnd[]>`
    select coalesce(h.org_seq, 0) as org_seq, h.hash, coalesce(h.mac, '') as mac,
      to_char(greatest(h.entered_at, sealwright_now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as entered_at
    from (select ${orgId}::uuid as org_id) o
    left join audit_ledger_heads h on h.org_id = o.org_id`
  if (!row) throw new Error('The database did not tell the end of the ledger.')
  return row
}

export interface PendingRow {
  envelopeId: EnvelopeId
  seq: number
  hash: Buffer
}

/**
 * The oldest rows that are not in the ledger, by time. Locks the heads of their chains and skips chains that are locked. When `limit` chains
 * were taken there may be more: then rows after the first row of a remaining chain are left out.
 */
export async function takePendingRows(sql: Sql, orgId: OrgId, limit: number): Promise<PendingRow[]> {
  return sql<PendingRow[]>`
    with heads as (
      select envelope_id, ledgered_seq, pending_at
      from audit_heads
      where org_id = ${orgId} and pending_at is not null
      order by pending_at
      limit ${limit}
      for update skip locked
    ), cut as (
      select case when count(*) < ${limit} then 'infinity' else max(pending_at) end as at from heads
    )
    select e.envelope_id, e.seq, e.hash
    from heads h
    cross join cut
    join audit_events e on e.org_id = ${orgId} and e.envelope_id = h.envelope_id and e.seq > h.ledgered_seq and e.at <= cut.at
    order by e.at, e.envelope_id, e.seq`
}

export interface LedgerRow extends PendingRow {
  orgSeq: number
  ledgerHash: Buffer
  mac: Buffer
}

/** Appends the rows, and records in their chains how far the ledger has come. */
export async function insertLedgerRows(sql: Sql, orgId: OrgId, enteredAt: string, rows: readonly LedgerRow[]): Promise<void> {
  const values = rows.map(({ orgSeq, envelopeId, seq, hash, ledgerHash, mac }) => ({
    place: orgSeq,
    envelope: envelopeId,
    seq,
    event: hash.toString('hex'),
    hash: ledgerHash.toString('hex'),
    mac: mac.toString('hex'),
  }))
  await sql`
    with entered as (
      insert into audit_ledger (org_id, org_seq, envelope_id, seq, event_hash, entered_at, hash, mac)
      select ${orgId}::uuid, r.place, r.envelope, r.seq, decode(r.event, 'hex'), ${enteredAt}::text::timestamptz, decode(r.hash, 'hex'), decode(r.mac, 'hex')
      from jsonb_to_recordset(${sql.json(values)}) as r (place bigint, envelope uuid, seq integer, event text, hash text, mac text)
      order by r.place
      returning envelope_id, seq)
    update audit_heads h
    set ledgered_seq = c.seq,
      pending_at = case when c.seq < h.seq then coalesce(
        (select e.at from audit_events e where e.org_id = h.org_id and e.envelope_id = h.envelope_id and e.seq = c.seq + 1), h.at) end
    from (select envelope_id, max(seq) as seq from entered group by envelope_id) c
    where h.org_id = ${orgId} and h.envelope_id = c.envelope_id
      and h.envelope_id = any(array(select envelope_id from entered)) -- or the join may read all that the organisation has`
}

export async function setLedgerHead(
  sql: Sql,
  orgId: OrgId,
  head: { orgSeq: number; hash: Buffer; mac: Buffer; enteredAt: string },
): Promise<void> {
  await sql`
    insert into audit_ledger_heads (org_id, org_seq, hash, mac, entered_at)
    values (${orgId}, ${head.orgSeq}, ${head.hash}, ${head.mac}, ${head.enteredAt}::text::timestamptz)
    on conflict (org_id) do update
    set org_seq = excluded.org_seq, hash = excluded.hash, mac = excluded.mac, entered_at = excluded.entered_at`
}
