// The SQL of mails that have not gone out, for operators. Nothing here reads whom a mail is to, or what it says.
import type { EnvelopeId, OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { PersonTemplate, SignerTemplate } from './store.ts'

export interface UnsentMailRow {
  orgId: OrgId
  id: string
  /** Null of a mail about the panel. */
  envelopeId: EnvelopeId | null
  template: SignerTemplate | PersonTemplate
  state: 'WAITING' | 'PARKED'
  attempts: number
  wantedAt: Date
  dueAt: Date
  lastError: string | null
}

/** What is to go out, or only what was set aside; oldest first. */
export async function listUnsent(sql: Sql, { stuck }: { stuck: boolean }): Promise<UnsentMailRow[]> {
  return sql<UnsentMailRow[]>`
    select org_id, id, envelope_id, template, state, attempts, coalesce(wanted_at, created_at) as wanted_at, due_at, last_error
    from mails
    where state = 'PARKED' ${stuck ? sql`` : sql`or state = 'WAITING'`}
    order by coalesce(wanted_at, created_at), id`
}

/** Which failed mails are meant. */
export type MailChoice = { envelopeId: EnvelopeId } | { mailId: string } | 'all'

interface ResetMail {
  orgId: OrgId
  id: string
  traceParent: string | null
}

/** Makes mails that have failed due now, with their failures anew, but for those that are being sent. */
export async function resetMails(sql: Sql, choice: MailChoice): Promise<ResetMail[]> {
  return sql<ResetMail[]>`
    update mails
    set state = 'WAITING', attempts = 0, failures = 0, due_at = sealwright_now(), leased_until = null, last_error = null
    where (state = 'PARKED' or (state = 'WAITING' and last_error is not null and (leased_until is null or leased_until <= sealwright_now())))
      ${choice === 'all' ? sql`` : 'mailId' in choice ? sql`and id = ${choice.mailId}` : sql`and envelope_id = ${choice.envelopeId}`}
    returning org_id, id, trace_parent`
}
