// The SQL of signers.
import type { EnvelopeId, OrgId, SignerId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { SignerStatus } from './rules.ts'
import type { Signer } from './signer.ts'

export interface NewSigner {
  id: SignerId
  email: string
  name: string
  signOrder: number
}

export async function insertSigners(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  signers: readonly NewSigner[],
): Promise<void> {
  const rows = signers.map(({ id, email, name, signOrder }) => ({ id, email, name, place: signOrder }))
  await sql`
    insert into signers (org_id, id, envelope_id, email, name, sign_order)
    select ${orgId}::uuid, s.id, ${envelopeId}::uuid, s.email, s.name, s.place
    from jsonb_to_recordset(${sql.json(rows)}) as s (id uuid, email text, name text, place integer)`
}

/** The signers of an envelope in order, with the status that a reader sees. */
export async function listSigners(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<Signer[]> {
  return sql<Signer[]>`
    select s.id, s.email, s.name, s.sign_order, s.signed_at,
      case when s.status <> 'SIGNED' and shown_status(e.status, e.lapses_at) = 'EXPIRED' then 'EXPIRED' else s.status end as status
    from signers s
    join envelopes e on e.org_id = s.org_id and e.id = s.envelope_id
    where s.org_id = ${orgId} and s.envelope_id = ${envelopeId}
    order by s.sign_order`
}

/** Changes signers' statuses; a signer who has signed stays SIGNED. */
export async function setSignerStatuses(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  ids: readonly SignerId[],
  status: Exclude<SignerStatus, 'SIGNED'>,
): Promise<void> {
  await sql`
    update signers
    set status = ${status}
    where org_id = ${orgId} and envelope_id = ${envelopeId} and id = any(${sql.array([...ids])}::uuid[]) and status <> 'SIGNED'`
}

/** All signers of the envelope who have not signed. */
export async function endUnsigned(
  sql: Sql,
  orgId: OrgId,
  envelopeId: EnvelopeId,
  status: 'CANCELLED' | 'EXPIRED',
): Promise<void> {
  await sql`
    update signers
    set status = ${status}
    where org_id = ${orgId} and envelope_id = ${envelopeId} and status <> 'SIGNED'`
}

/** The statement that marks the envelope as viewed by a signer, the first time only. */
export function updateViewed(sql: Sql, orgId: OrgId, id: SignerId) {
  return sql`
    update signers
    set viewed_at = sealwright_now(), status = 'VIEWED'
    where org_id = ${orgId} and id = ${id} and viewed_at is null`
}
