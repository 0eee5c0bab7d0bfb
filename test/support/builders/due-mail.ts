// Emails that are due, as the mail worker reads them from the database.
import { randomUUID } from 'node:crypto'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { deriveInstallationKeys } from '#core/platform/crypto/installation-keys.ts'
import { EnvelopeId, newId, OrgId, SignerId } from '#core/ids.ts'
import type { MailJob, PersonMailJob, SignerMailJob } from '#core/mail/mail-job.ts'
import type { RenderedMail } from '#core/mail/mail-transport.ts'
import { mailContext } from '#core/mail/record-mail.ts'
import { renderMail } from '#core/mail/render-mail.ts'

const keys = deriveInstallationKeys(Buffer.alloc(32, 1))
const settings = { ...readSettings({ SEALWRIGHT_OTP_TTL: '300s' }).settings, publicUrl: 'https://sign.example.test' }

/** With its secret, and the mail to which the secret is bound, when it is not this one. */
type DueMail<Job extends MailJob> = Pick<Job, 'template'> & Partial<Job> & { secret: string; boundTo?: string }

/** To Ada, a signer of the envelope "Lease" of Nordlicht GmbH. */
export function aSignerMail({ secret, boundTo, ...changes }: DueMail<SignerMailJob>): SignerMailJob {
  const about = { envelopeId: newId(EnvelopeId), signerId: newId(SignerId), title: 'Lease', message: 'Dear Ada' }
  return { ...aJob(secret, boundTo), ...about, ...changes }
}

/** To Ada, who signs in to the panel of Nordlicht GmbH. */
export function aPersonMail({ secret, boundTo, ...changes }: DueMail<PersonMailJob>): PersonMailJob {
  return { ...aJob(secret, boundTo), createdAt: new Date('2026-11-21T14:00:00Z'), isElsewhere: false, ...changes }
}

/** As the transport gets it; one-time codes are valid for 5 minutes. */
export function rendered(mail: MailJob, changes: Partial<typeof settings> = {}): RenderedMail {
  return renderMail({ keys, settings: { ...settings, ...changes } }, mail)
}

function aJob(secret: string, boundTo?: string) {
  const id = randomUUID()
  return {
    orgId: newId(OrgId),
    id,
    secretBox: keys.seal(secret, mailContext(boundTo ?? id)),
    attempts: 1,
    failures: 0,
    outages: 0,
    released: 0,
    traceParent: null,
    takenAt: new Date('2026-11-21T14:05:00Z'),
    waitedSeconds: 0,
    recipient: 'ada@example.test',
    recipientName: 'Ada',
    organisationName: 'Nordlicht GmbH',
    locale: 'en' as const,
    linkExpiresAt: new Date('2026-11-24T14:05:00Z'),
  }
}
