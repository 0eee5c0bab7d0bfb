// Sends one email that is due. At least once: after a crash between the server's response and its record, the email is sent again under the same
// Message-ID.
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import type { AuditAction } from '#core/audit/rules.ts'
import { lockChain } from '#core/audit/store.ts'
import type { StorelessCore } from '#core/context.ts'
import { MAX_MAIL_FAILURES } from '#core/limits.ts'
import { smtpDeliveries } from '#core/platform/metrics/metrics.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { isUnavailable } from '#core/platform/postgres/postgres-error.ts'
import type { HeldLeases } from '#core/work/hold-lease.ts'
import { markJobDone } from '#core/work/job-store.ts'
import type { JobHandler, JobRef } from '#core/work/job.ts'
import { runNextJob } from '#core/work/run-next-job.ts'
import { isToPerson, MAIL_WORK, type MailJob, type SignerMailJob } from './mail-job.ts'
import type { MailTransport, SendOutcome } from './mail-transport.ts'
import { renderMail } from './render-mail.ts'
import { mailBackoffSeconds } from './rules.ts'
import type { SignerTemplate } from './store.ts'

/** Sends the wanted email, or without one the email that has been due longest; see `runNextJob`. */
export async function sendNextMail(
  core: StorelessCore,
  transport: MailTransport,
  wanted?: JobRef,
  held?: HeldLeases,
): Promise<boolean> {
  return runNextJob(core, mailHandler(core, transport), wanted, held)
}

function mailHandler(core: StorelessCore, transport: MailTransport): JobHandler<MailJob> {
  return {
    kind: MAIL_WORK,
    span: { name: 'send mail', attributes: ({ template }) => ({ 'sealwright.template': template }) },
    canRun: () => transport.mayTry(),
    perform: (mail) => send(core, transport, mail),
    isTransient: (error) => (error instanceof MailNotSentError ? TRANSIENT.has(error.outcome) : isUnavailable(error)),
    isFinal: (error) => error instanceof MailNotSentError && error.outcome === 'refused',
    maxFailures: MAX_MAIL_FAILURES,
    backoffSeconds: mailBackoffSeconds,
  }
}

type NotSent = Exclude<SendOutcome['outcome'], 'accepted'>

/** Outcomes that concern every email. */
const TRANSIENT: ReadonlySet<NotSent> = new Set(['denied', 'unreachable'])

class MailNotSentError extends Error {
  readonly outcome: NotSent

  constructor(outcome: NotSent, message: string) {
    super(message)
    this.outcome = outcome
  }
}

async function send(core: StorelessCore, transport: MailTransport, mail: MailJob): Promise<boolean> {
  const result = await transport.send(renderMail(core, mail))
  smtpDeliveries.inc({ outcome: result.outcome })
  if (result.outcome !== 'accepted') throw new MailNotSentError(result.outcome, result.error)
  return recordSent(core, mail)
}

/** The emails that are recorded in the envelope's audit trail. */
const AUDIT_OF_TEMPLATE: Partial<Record<SignerTemplate, AuditAction>> = { SIGNING_LINK: 'link.mailed', COMPLETED: 'copy.mailed' }

async function recordSent(core: StorelessCore, mail: MailJob): Promise<boolean> {
  const action = isToPerson(mail) ? undefined : AUDIT_OF_TEMPLATE[mail.template]
  if (isToPerson(mail) || !action) return markJobDone(core.database, MAIL_WORK, mail)
  try {
    return await recordAudited(core, mail, action)
  } catch (err) {
    if (isUnavailable(err)) throw err
    // The email was sent and must not be sent again because the audit trail cannot be written.
    core.log.error({ err, orgId: mail.orgId, mailId: mail.id }, 'mail.audit_failed')
    return markJobDone(core.database, MAIL_WORK, mail)
  }
}

async function recordAudited({ database, keys }: StorelessCore, mail: SignerMailJob, action: AuditAction): Promise<boolean> {
  const { orgId, envelopeId, signerId } = mail
  return inTransaction(database, async (sql) => {
    // Pipelined. The lock comes first, so that the others see what was committed before it was granted.
    const [, isFirst] = await Promise.all([
      lockChain(sql, orgId, envelopeId),
      markJobDone(sql, MAIL_WORK, mail),
      recordAudit(sql, keys, orgId, envelopeId, { ...SYSTEM, action, detail: { signerId } }),
    ])
    return isFirst
  })
}
