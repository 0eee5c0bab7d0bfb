// The SQL of `audit verify`: streams all rows in order, of one organisation or of all. Needs the system role.
import type { Sql } from '#core/platform/postgres/client.ts'
import type { ChainRow } from './chain-walk.ts'

/** Rows held in memory at a time. */
const CHUNK = 1_000

export interface ScannedRow extends ChainRow {
  orgId: string
  headSeq: number | null
  headHash: Buffer | null
  headMac: Buffer | null
}

/** Every row of every envelope's chain with the head of the chain, ordered by chain and number. */
export async function* scanChains(sql: Sql, orgId: string | undefined): AsyncGenerator<ScannedRow> {
  const chunks = sql<ScannedRow[]>`
    select e.org_id, e.envelope_id, e.seq, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.actor, e.action, e.address,
      e.user_agent, e.detail, e.previous_hash, e.hash, e.mac, h.seq as head_seq, h.hash as head_hash, h.mac as head_mac
    from audit_events e
    left join audit_heads h on h.org_id = e.org_id and h.envelope_id = e.envelope_id
    ${orgId ? sql`where e.org_id = ${orgId}` : sql``}
    order by e.org_id, e.envelope_id, e.seq`.cursor(CHUNK)
  for await (const chunk of chunks) yield* chunk
}

export interface ScannedLedgerRow {
  orgId: string
  orgSeq: number
  envelopeId: string
  seq: number
  eventHash: Buffer
  enteredAt: string
  hash: Buffer
  mac: Buffer
  /** The hash that the envelope's chain has at this position now; null without a row. */
  actualHash: Buffer | null
  at: Date | null
  headSeq: number | null
  headHash: Buffer | null
  headMac: Buffer | null
}

/** Every row of every ledger in order, with the chain row that it records and the head of the ledger. */
export async function* scanLedgers(sql: Sql, orgId: string | undefined): AsyncGenerator<ScannedLedgerRow> {
  const chunks = sql<ScannedLedgerRow[]>`
    select l.org_id, l.org_seq, l.envelope_id, l.seq, l.event_hash, l.hash, l.mac,
      to_char(l.entered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as entered_at, e.hash as actual_hash, e.at,
      h.org_seq as head_seq, h.hash as head_hash, h.mac as head_mac
    from audit_ledger l
    left join audit_events e on e.org_id = l.org_id and e.envelope_id = l.envelope_id and e.seq = l.seq
    left join audit_ledger_heads h on h.org_id = l.org_id
    ${orgId ? sql`where l.org_id = ${orgId}` : sql``}
    order by l.org_id, l.org_seq`.cursor(CHUNK)
  for await (const chunk of chunks) yield* chunk
}

export interface ScannedRowPosition {
  orgId: string
  envelopeId: string
  seq: number
  at: Date
  /** Whether the chain's head says that the row is in the ledger. */
  shouldBeThere: boolean
}

/** Chain rows that are in no ledger, oldest first. */
export async function* scanRowsNotInLedger(sql: Sql, orgId: string | undefined): AsyncGenerator<ScannedRowPosition> {
  const chunks = sql<ScannedRowPosition[]>`
    select e.org_id, e.envelope_id, e.seq, e.at, coalesce(e.seq <= h.ledgered_seq, false) as should_be_there
    from audit_events e
    left join audit_heads h on h.org_id = e.org_id and h.envelope_id = e.envelope_id
    where not exists (
        select from audit_ledger l where l.org_id = e.org_id and l.envelope_id = e.envelope_id and l.seq = e.seq)
      ${orgId ? sql`and e.org_id = ${orgId}` : sql``}
    order by e.at`.cursor(CHUNK)
  for await (const chunk of chunks) yield* chunk
}

/** Envelopes without any audit row: from the envelopes table, or from the head of a chain whose rows were removed. */
export async function* scanEnvelopesWithoutTrail(
  sql: Sql,
  orgId: string | undefined,
): AsyncGenerator<{ orgId: string; envelopeId: string }> {
  const chunks = sql<{ orgId: string; envelopeId: string }[]>`
    select k.org_id, k.envelope_id
    from (select org_id, id as envelope_id from envelopes union select org_id, envelope_id from audit_heads) k
    where not exists (select from audit_events e where e.org_id = k.org_id and e.envelope_id = k.envelope_id)
      ${orgId ? sql`and k.org_id = ${orgId}` : sql``}
    order by k.org_id, k.envelope_id`.cursor(CHUNK)
  for await (const chunk of chunks) yield* chunk
}

/** Ledgers with a head but no rows. */
export async function listEmptyLedgers(sql: Sql, orgId: string | undefined): Promise<{ orgId: string }[]> {
  return sql<{ orgId: string }[]>`
    select h.org_id
    from audit_ledger_heads h
    where not exists (select from audit_ledger l where l.org_id = h.org_id) ${orgId ? sql`and h.org_id = ${orgId}` : sql``}
    order by h.org_id`
}

export interface ScannedSeal {
  orgId: string
  envelopeId: string
  /** Null for the sealed report. */
  documentId: string | null
  seq: number
}

/** Sealed copies and reports that name an audit row which does not exist with that hash. */
export async function* scanMismatchedSeals(sql: Sql, orgId: string | undefined): AsyncGenerator<ScannedSeal> {
  const chunks = sql<ScannedSeal[]>`
    select s.org_id, s.envelope_id, s.document_id, s.audit_seq as seq
    from (
      select org_id, envelope_id, document_id, audit_seq, audit_hash from sealed_documents
      union all
      select org_id, envelope_id, null, audit_seq, audit_hash from audit_reports) s
    where s.audit_hash is not null and not exists (
        select from audit_events e
        where e.org_id = s.org_id and e.envelope_id = s.envelope_id and e.seq = s.audit_seq and e.hash = s.audit_hash)
      ${orgId ? sql`and s.org_id = ${orgId}` : sql``}
    order by s.org_id, s.envelope_id, s.document_id`.cursor(CHUNK)
  for await (const chunk of chunks) yield* chunk
}

/** Finds a hash at another position, in the chains or in the ledgers. */
export async function findHashElsewhere(
  sql: Sql,
  hash: Buffer,
  here: { orgId: string; envelopeId: string },
): Promise<{ orgId: string; envelopeId: string; seq: number } | undefined> {
  const [row] = await sql<{ orgId: string; envelopeId: string; seq: number }[]>`
    select p.org_id, p.envelope_id, p.seq
    from (select org_id, envelope_id, seq, hash from audit_events union all select org_id, envelope_id, seq, event_hash from audit_ledger) p
    where p.hash = ${hash} and (p.org_id, p.envelope_id) <> (${here.orgId}, ${here.envelopeId})
    limit 1`
  return row
}

/** Lists those of the hashes (hex) that a chain or a ledger has. */
export async function listKnownHashes(
  sql: Sql,
  orgId: string | undefined,
  hashes: readonly string[],
): Promise<{ hash: string }[]> {
  return sql<{ hash: string }[]>`
    select distinct encode(p.hash, 'hex') as hash
    from (select org_id, hash from audit_ledger union all select org_id, hash from audit_events) p
    where encode(p.hash, 'hex') = any(${sql.array([...hashes])}::text[]) ${orgId ? sql`and p.org_id = ${orgId}` : sql``}`
}

/** Whether the row that a sealed copy names exists with that hash (hex). */
export async function hasRow(
  sql: Sql,
  { envelopeId, seq, hash }: { envelopeId: string; seq: number; hash: string },
): Promise<boolean> {
  const rows = await sql`
    select 1 from audit_events where envelope_id = ${envelopeId} and seq = ${seq} and hash = decode(${hash}, 'hex')`
  return rows.length > 0
}

export async function hasOrganisation(sql: Sql, orgId: string): Promise<boolean> {
  const rows = await sql`select 1 from organisations where id = ${orgId}`
  return rows.length > 0
}
