// Sends one mail that is due. At least once: a crash after the server took it sends it again, under the same Message-ID.
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import type { Core } from '#core/context.ts'
import { lockEnvelope } from '#core/envelope/store.ts'
import { holdLease, LEASE_SECONDS } from '#core/lease/hold-lease.ts'
import { MAX_MAIL_ATTEMPTS } from '#core/limits.ts'
import { inTransaction } from '#core/postgres/client.ts'
import type { MailTransport } from './mail-transport.ts'
import { renderMail } from './render-mail.ts'
import { delayMail, type DueMail, leaseDueMail, markMailSent, renewMailLease, type SignerTemplate } from './store.ts'
import type { AuditAction } from '#core/audit/rules.ts'

const FIRST_DELAY_SECONDS = 5
const LONGEST_DELAY_SECONDS = 3_600

/** False when no mail was due. Needs a database of the system role. */
export async function sendNextMail(core: Core, transport: MailTransport): Promise<boolean> {
  const mail = await leaseDueMail(core.database, LEASE_SECONDS)
  if (!mail) return false
  const failure = await holdLease(
    () => renewMailLease(core.database, mail, LEASE_SECONDS),
    core.log,
    () => send(core, transport, mail),
  )
  if (failure) await postpone(core, mail, failure)
  else await recordSent(core, mail)
  return true
}

interface Failure {
  error: string
  final: boolean
}

async function send(core: Core, transport: MailTransport, mail: DueMail): Promise<Failure | undefined> {
  try {
    const result = await transport.send(renderMail(core, mail))
    return result.outcome === 'accepted' ? undefined : { error: result.error, final: result.outcome === 'refused' }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error), final: false }
  }
}

const AUDIT_OF_TEMPLATE: Partial<Record<SignerTemplate, AuditAction>> = { SIGNING_LINK: 'link.mailed', COMPLETED: 'copy.mailed' }

async function recordSent(core: Core, mail: DueMail): Promise<void> {
  const { orgId, id } = mail
  // Only what concerns an envelope has a history there.
  if (mail.template === 'PANEL_SETUP') return markMailSent(core.database, orgId, id)
  const { envelopeId, signerId, template } = mail
  await inTransaction(core.database, async (sql) => {
    await lockEnvelope(sql, orgId, envelopeId)
    await markMailSent(sql, orgId, id)
    const action = AUDIT_OF_TEMPLATE[template]
    if (action) await recordAudit(sql, core.keys, orgId, envelopeId, { ...SYSTEM, action, detail: { signerId } })
  })
}

async function postpone(core: Core, { orgId, id, attempts }: DueMail, { error, final }: Failure): Promise<void> {
  const park = final || attempts >= MAX_MAIL_ATTEMPTS
  const delaySeconds = Math.min(FIRST_DELAY_SECONDS * 2 ** (attempts - 1), LONGEST_DELAY_SECONDS)
  core.log.warn({ orgId, mailId: id, attempts, park, error }, 'mail.failed')
  await delayMail(core.database, orgId, id, { error, delaySeconds, park })
}
