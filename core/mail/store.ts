// The SQL of emails. The statement that ends an email's job also deletes its secret.
import type { EnvelopeId, OrgId, SignerId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'

export type SignerTemplate = 'SIGNING_LINK' | 'ONE_TIME_CODE' | 'COMPLETED'
export type WebhookTemplate = 'WEBHOOK_DISABLED' | 'WEBHOOK_ENABLED'
export type PersonTemplate = 'PANEL_SETUP' | 'PASSWORD_CHANGED' | 'FACTOR_CHANGED' | WebhookTemplate

export interface NewMail {
  id: string
  envelopeId: EnvelopeId
  signerId: SignerId
  template: SignerTemplate
  secretBox: Buffer
  state: 'HELD' | 'WAITING'
}

export async function insertMails(sql: Sql, orgId: OrgId, mails: readonly NewMail[]): Promise<void> {
  const rows = mails.map(({ id, envelopeId: envelope, signerId: signer, template, secretBox, state }) => ({
    id,
    envelope,
    signer,
    template,
    box: secretBox.toString('hex'),
    state,
  }))
  await sql`
    insert into mails (org_id, id, envelope_id, signer_id, template, secret_box, state, trace_parent)
    select ${orgId}::uuid, m.id, m.envelope, m.signer, m.template, decode(m.box, 'hex'), m.state, ${currentTraceParent()}
    from jsonb_to_recordset(${sql.json(rows)}) as m (id uuid, envelope uuid, signer uuid, template text, box text, state text)`
}

/** Releases the signing links that were held until these signers' turn; returns the emails' ids. */
export async function releaseHeldMails(sql: Sql, orgId: OrgId, signerIds: readonly SignerId[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update mails
    set state = 'WAITING', due_at = sealwright_now(), wanted_at = sealwright_now()
    where org_id = ${orgId} and signer_id = any(${sql.array([...signerIds])}::uuid[]) and state = 'HELD'
    returning id`
  return rows.map(({ id }) => id)
}

/** Drops the unsent emails of an envelope that has ended. */
export async function dropMails(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`
    update mails
    set state = 'DROPPED', secret_box = null
    where org_id = ${orgId} and state in ('HELD', 'WAITING', 'DEAD')
      and signer_id in (select id from signers where org_id = ${orgId} and envelope_id = ${envelopeId})`
}
