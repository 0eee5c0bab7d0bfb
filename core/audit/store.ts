// The SQL of the audit trail: rows are added and read, nothing else; triggers and grants refuse the rest.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import type { AuditContent } from './rules.ts'

export interface ChainHead {
  seq: number
  hash: Buffer
}

/** The last row of an envelope's chain. The caller holds the envelope's row lock, which keeps the chain a line. */
export async function findHead(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<ChainHead | undefined> {
  const [row] = await sql<ChainHead[]>`
    select seq, hash
    from audit_events
    where org_id = ${orgId} and envelope_id = ${envelopeId}
    order by seq desc
    limit 1`
  return row
}

/** The database's time with microseconds, which a JavaScript Date would lose. */
export async function exactNow(sql: Sql): Promise<string> {
  const [row] = await sql<{ at: string }[]>`
    select to_char(sealwright_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`
  if (!row) throw new Error('The database did not tell the time.')
  return row.at
}

export async function insertAuditEvent(
  sql: Sql,
  orgId: OrgId,
  content: AuditContent,
  chain: { previous: Buffer; hash: Buffer },
): Promise<void> {
  await sql`
    insert into audit_events (org_id, envelope_id, seq, at, actor, action, address, user_agent, detail, previous_hash, hash)
    values (${orgId}, ${content.envelopeId}, ${content.seq}, ${content.at}::text::timestamptz, ${sql.json({ ...content.actor })}, ${content.action},
      ${content.address}, ${content.userAgent}, ${sql.json({ ...content.detail })}, ${chain.previous}, ${chain.hash})`
}

interface AuditRow extends AuditContent {
  previousHash: Buffer
  hash: Buffer
}

/** The whole chain of an envelope, oldest first. */
export async function listAuditEvents(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<AuditRow[]> {
  return sql<AuditRow[]>`
    select envelope_id, seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor, action, address, user_agent,
      detail, previous_hash, hash
    from audit_events
    where org_id = ${orgId} and envelope_id = ${envelopeId}
    order by seq`
}
