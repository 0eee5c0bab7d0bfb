// The job to send an email: its row in `mails`.
import type { EnvelopeId, SignerId } from '#core/ids.ts'
import type { Job, WorkKind } from '#core/work/job.ts'
import type { Locale } from '#core/platform/text/locale.ts'
import type { PersonTemplate, SignerTemplate } from './store.ts'

interface MailJobBase extends Job {
  secretBox: Buffer
  recipient: string
  recipientName: string
  organisationName: string
  /** Language of the organisation. */
  locale: Locale
  linkExpiresAt: Date | null
}

/** To a signer, about an envelope. */
export interface SignerMailJob extends MailJobBase {
  template: SignerTemplate
  envelopeId: EnvelopeId
  signerId: SignerId
  title: string
  message: string | null
}

/** To a person, about the panel. */
export interface PersonMailJob extends MailJobBase {
  template: PersonTemplate
  createdAt: Date
  /** The address signs in to another organisation. */
  isElsewhere: boolean
}

export type MailJob = SignerMailJob | PersonMailJob

const PERSON_TEMPLATES: ReadonlySet<string> = new Set<PersonTemplate>([
  'PANEL_SETUP',
  'PASSWORD_CHANGED',
  'FACTOR_CHANGED',
  'WEBHOOK_DISABLED',
  'WEBHOOK_ENABLED',
])

/** True for an email about the panel. */
export function isToPerson(mail: MailJob): mail is PersonMailJob {
  return PERSON_TEMPLATES.has(mail.template)
}

export const MAIL_WORK: WorkKind = {
  name: 'mail',
  role: 'mail',
  table: 'mails',
  idColumn: 'id',
  subject: 'sealwright.mail.requested',
  // No signer is invited or sent a code after the envelope has expired; the expiry sweep drops these emails. NOTE: with many waiting emails the
  // planner would hash all expired envelopes, after reading them all; `offset 0` prevents that.
  dueWhen: (sql) => sql`
    and not (j.template in ('SIGNING_LINK', 'ONE_TIME_CODE') and exists (
      select from envelopes e where e.org_id = j.org_id and e.id = j.envelope_id and e.lapses_at <= sealwright_now()
      offset 0))`,
  details: (sql) => ({
    columns: sql`
      j.envelope_id, j.signer_id, j.template, j.secret_box, j.created_at, o.name as organisation_name, o.locale,
      e.title, e.message,
      p.is_elsewhere, coalesce(s.email, p.email) as recipient, coalesce(s.name, p.name) as recipient_name,
      coalesce(l.expires_at, setup.expires_at) as link_expires_at`,
    joins: sql`
      join organisations o on o.id = j.org_id
      left join signers s on s.org_id = j.org_id and s.id = j.signer_id
      left join envelopes e on e.org_id = j.org_id and e.id = j.envelope_id
      left join signing_links l on l.org_id = j.org_id and l.signer_id = j.signer_id
      left join people p on p.org_id = j.org_id and p.id = j.person_id
      left join setup_links setup on setup.org_id = j.org_id and setup.person_id = j.person_id`,
  }),
  // The statement that ends the job also deletes the secret.
  atEnd: (sql) => sql`, secret_box = null`,
  statusColumns: (sql) => sql`j.envelope_id, j.template`,
}
