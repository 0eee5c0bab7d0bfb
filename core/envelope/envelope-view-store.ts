// The SQL of complete envelopes, as their organisation reads them: workspace, document count and signers in one statement, so that the result is of
// one moment.
import type { Caller } from '#core/context.ts'
import type { EnvelopeId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Signer } from '#core/envelope/signer/signer.ts'
import { rolesOf } from '#core/account/workspace/store.ts'
import type { ReadableEnvelope } from './store.ts'

export interface EnvelopeView extends ReadableEnvelope {
  /** Signers in order, with the status that a reader sees. */
  signers: Signer[]
}

/** Row as it comes from the database: times within JSON are texts. */
export type EnvelopeViewRow = ReadableEnvelope & { signers: (Omit<Signer, 'signedAt'> & { signedAt: string | null })[] }

/** The columns of an EnvelopeViewRow, from envelopes `e`, the caller's roles `g` and workspaces `w`. */
export function viewColumns(sql: Sql) {
  return sql`
    e.id, e.workspace_id, w.name as workspace_name, e.title, e.message, shown_status(e.status, e.lapses_at) as status, e.created_at,
    e.created_by, e.expires_at, e.otp_required, e.sequential_signing, e.labels, g.permissions,
    (select count(*)::int from documents d where d.org_id = e.org_id and d.envelope_id = e.id) as document_count,
    (select coalesce(json_agg(json_build_object('id', s.id, 'email', s.email, 'name', s.name, 'signOrder', s.sign_order, 'signedAt', s.signed_at,
        'status', case when s.status <> 'SIGNED' and shown_status(e.status, e.lapses_at) = 'EXPIRED' then 'EXPIRED' else s.status end)
       order by s.sign_order), '[]')
     from signers s where s.org_id = e.org_id and s.envelope_id = e.id) as signers`
}

/** The statement that finds the envelope as the caller may read it: one row, or none without a role on its workspace. */
export function selectEnvelopeView(sql: Sql, caller: Caller, id: EnvelopeId) {
  return sql<EnvelopeViewRow[]>`
    select ${viewColumns(sql)}
    from envelopes e
    join ${rolesOf(sql, caller)} g on g.workspace_id = e.workspace_id
    join workspaces w on w.org_id = e.org_id and w.id = e.workspace_id
    where e.org_id = ${caller.orgId} and e.id = ${id}`
}

export function toEnvelopeView(row: EnvelopeViewRow): EnvelopeView {
  return {
    ...row,
    signers: row.signers.map((signer) => ({ ...signer, signedAt: signer.signedAt ? new Date(signer.signedAt) : null })),
  }
}
