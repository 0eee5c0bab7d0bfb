// The SQL of mails to send. A secret leaves the row in the statement that ends its need.
import type { EnvelopeId, OrgId, SignerId } from '#core/ids.ts'
import type { MailRequested } from '#core/messaging/messages.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { commitAsynchronously } from '#core/platform/postgres/async-commit.ts'
import { currentTraceParent } from '#core/platform/trace/spans.ts'

export type SignerTemplate = 'SIGNING_LINK' | 'ONE_TIME_CODE' | 'COMPLETED'
export type PersonTemplate = 'PANEL_SETUP' | 'PASSWORD_CHANGED'

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

/** Lets go the signing links that waited for these signers' turn; answers the mails' ids. */
export async function releaseHeldMails(sql: Sql, orgId: OrgId, signerIds: readonly SignerId[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update mails
    set state = 'WAITING', due_at = sealwright_now(), wanted_at = sealwright_now()
    where org_id = ${orgId} and signer_id = any(${sql.array([...signerIds])}::uuid[]) and state = 'HELD'
    returning id`
  return rows.map(({ id }) => id)
}

/** What has not gone out for an envelope that has ended is not sent any more. */
export async function dropMails(sql: Sql, orgId: OrgId, envelopeId: EnvelopeId): Promise<void> {
  await sql`
    update mails
    set state = 'DROPPED', secret_box = null
    where org_id = ${orgId} and state in ('HELD', 'WAITING', 'PARKED')
      and signer_id in (select id from signers where org_id = ${orgId} and envelope_id = ${envelopeId})`
}

interface DueMailBase {
  orgId: OrgId
  id: string
  secretBox: Buffer
  attempts: number
  /** Of these, how many failed by the mail itself. */
  failures: number
  traceParent: string | null
  /** When it was taken to be sent, by the database. */
  takenAt: Date
  /** Since it was wanted. */
  waitedSeconds: number
  recipient: string
  recipientName: string
  organisationName: string
  linkExpiresAt: Date | null
}

/** To a signer, about an envelope. */
export interface DueSignerMail extends DueMailBase {
  template: SignerTemplate
  envelopeId: EnvelopeId
  signerId: SignerId
  title: string
  message: string | null
}

/** To a person, about the panel. */
export interface DuePersonMail extends DueMailBase {
  template: PersonTemplate
  createdAt: Date
}

export type DueMail = DueSignerMail | DuePersonMail

/** True of a mail that concerns no envelope. */
export function isToPerson(mail: DueMail): mail is DuePersonMail {
  return mail.template === 'PANEL_SETUP' || mail.template === 'PASSWORD_CHANGED'
}

// NOTE: `offset 0` keeps the planner from hashing all envelopes that have lapsed, which it finds by reading them all, as soon as many mails wait.
/** Takes one mail that is due, or the wanted one if it is due, raising its attempts before the work and holding it under a lease. */
export async function leaseDueMail(sql: Sql, leaseSeconds: number, wanted?: MailRequested): Promise<DueMail | undefined> {
  const [row] = await sql<DueMail[]>`
    with due as (
      select org_id, id
      from mails
      where state = 'WAITING' and due_at <= sealwright_now() and (leased_until is null or leased_until <= sealwright_now())
        -- Nobody is invited to sign, or sent a code for it, after the hour; the sweep drops these mails.
        and not (template in ('SIGNING_LINK', 'ONE_TIME_CODE') and exists (
          select from envelopes e where e.org_id = mails.org_id and e.id = mails.envelope_id and e.lapses_at <= sealwright_now()
          offset 0))
        ${wanted ? sql`and org_id = ${wanted.orgId} and id = ${wanted.mailId}` : sql``}
      order by due_at
      limit 1
      for update skip locked
    ), leased as (
      update mails m
      set attempts = m.attempts + 1, leased_until = sealwright_now() + make_interval(secs => ${leaseSeconds})
      from due
      where m.org_id = due.org_id and m.id = due.id
      returning m.*
    )
    select m.org_id, m.id, m.envelope_id, m.signer_id, m.template, m.secret_box, m.created_at, m.attempts, m.failures, m.trace_parent, sealwright_now() as taken_at,
      extract(epoch from sealwright_now() - coalesce(m.wanted_at, m.created_at))::float8 as waited_seconds,
      o.name as organisation_name, e.title, e.message,
      coalesce(s.email, p.email) as recipient, coalesce(s.name, p.name) as recipient_name,
      coalesce(l.expires_at, setup.expires_at) as link_expires_at, ${commitAsynchronously(sql)}
    from leased m
    join organisations o on o.id = m.org_id
    left join signers s on s.org_id = m.org_id and s.id = m.signer_id
    left join envelopes e on e.org_id = m.org_id and e.id = m.envelope_id
    left join signing_links l on l.org_id = m.org_id and l.signer_id = m.signer_id
    left join people p on p.org_id = m.org_id and p.id = m.person_id
    left join setup_links setup on setup.org_id = m.org_id and setup.person_id = m.person_id`
  return row
}

/** Keeps the lease, unless another worker has taken the mail since: each taking has its own number of attempts. */
export async function renewMailLease(
  sql: Sql,
  { orgId, id, attempts }: Pick<DueMail, 'orgId' | 'id' | 'attempts'>,
  leaseSeconds: number,
): Promise<void> {
  await sql`
    update mails
    set leased_until = sealwright_now() + make_interval(secs => ${leaseSeconds})
    where org_id = ${orgId} and id = ${id} and attempts = ${attempts} and state = 'WAITING' and leased_until is not null`
}

/** Frees a lease, unless another worker has taken the mail since. The number of attempts stays raised, so that the next taking has another one than the run
 *  that is left behind. */
export async function releaseMailLease(
  sql: Sql,
  { orgId, id, attempts }: Pick<DueMail, 'orgId' | 'id' | 'attempts'>,
): Promise<void> {
  await sql`
    update mails
    set leased_until = null
    where org_id = ${orgId} and id = ${id} and attempts = ${attempts} and state = 'WAITING' and leased_until is not null`
}

/** False when another run had sent it before, or it was dropped meanwhile. */
export async function markMailSent(sql: Sql, orgId: OrgId, id: string): Promise<boolean> {
  const rows = await sql`
    update mails
    set state = 'SENT', sent_at = sealwright_now(), secret_box = null, leased_until = null, last_error = null
    where org_id = ${orgId} and id = ${id} and state = 'WAITING'
    returning id`
  return rows.length > 0
}

/** Lets a mail wait. False, and nothing done, when another worker has taken it since, or it was handed back: a slow one's failure says nothing about the
 *  other's try. */
export async function delayMail(
  sql: Sql,
  { orgId, id, attempts }: Pick<DueMail, 'orgId' | 'id' | 'attempts'>,
  failure: { error: string; delaySeconds: number; park: boolean; counts: boolean },
): Promise<boolean> {
  const rows = await sql`
    update mails
    set state = case when ${failure.park} then 'PARKED' else state end, last_error = ${failure.error}, leased_until = null,
      failures = failures + case when ${failure.counts} then 1 else 0 end,
      due_at = sealwright_now() + make_interval(secs => ${failure.delaySeconds})
    where org_id = ${orgId} and id = ${id} and attempts = ${attempts} and state = 'WAITING' and leased_until is not null
    returning id`
  return rows.length > 0
}
