// Sends one mail that is due. At least once: a crash after the server took it sends it again, under the same Message-ID.
import { recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import type { StorelessCore } from '#core/context.ts'
import { lockChain } from '#core/audit/store.ts'
import { type HeldLeases, holdLease, LEASE_SECONDS } from '#core/work/hold-lease.ts'
import { MAX_MAIL_ATTEMPTS } from '#core/limits.ts'
import type { MailRequested } from '#core/messaging/messages.ts'
import { mailAnswers, mailDelay, workAttempts, workDuration } from '#core/platform/metrics/metrics.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { isUnavailable } from '#core/platform/postgres/postgres-error.ts'
import { inSpan } from '#core/platform/trace/spans.ts'
import type { MailTransport } from './mail-transport.ts'
import { renderMail } from './render-mail.ts'
import {
  delayMail,
  type DueMail,
  type DueSignerMail,
  releaseMailLease,
  isToPerson,
  leaseDueMail,
  markMailSent,
  renewMailLease,
  type SignerTemplate,
} from './store.ts'
import type { AuditAction } from '#core/audit/rules.ts'

const FIRST_DELAY_SECONDS = 5
const LONGEST_DELAY_SECONDS = 3_600
/** What concerns every mail is mended for all of them at once. */
const LONGEST_OUTAGE_DELAY_SECONDS = 300

/** Sends the wanted mail, or with none whichever has been due longest. False when no mail was due, or none can leave. Its lease is one of `held`
 *  while it is sent. Needs a database of the system role. */
export async function sendNextMail(
  core: StorelessCore,
  transport: MailTransport,
  wanted?: MailRequested,
  held: HeldLeases = new Set(),
): Promise<boolean> {
  // Mails are not worn out on a server that is known to take none.
  if (!transport.mayTry()) return false
  const mail = await leaseDueMail(core.database, LEASE_SECONDS, wanted)
  if (!mail) return false
  await inSpan('send mail', { parent: mail.traceParent, attributes: { 'sealwright.template': mail.template } }, () =>
    sendLeased(core, transport, mail, held),
  )
  return true
}

/** `superseded`: another run had sent it, or has it now, or it was dropped meanwhile. */
type Outcome = 'done' | 'failed' | 'parked' | 'superseded'

async function sendLeased(core: StorelessCore, transport: MailTransport, mail: DueMail, held: HeldLeases): Promise<void> {
  const startedAt = performance.now()
  const end = workDuration.startTimer({ role: 'mail' })
  const failure = await holdLease(
    {
      renew: () => renewMailLease(core.database, mail, LEASE_SECONDS),
      releaseLease: () => releaseMailLease(core.database, mail),
    },
    core.log,
    held,
    () => send(core, transport, mail),
  )
  const delaySeconds = mail.waitedSeconds + (performance.now() - startedAt) / 1000
  const outcome = failure ? await postpone(core, mail, failure) : await recordSent(core, mail)
  if (outcome === 'done') mailDelay.observe(delaySeconds)
  end({ outcome })
  workAttempts.inc({ role: 'mail', outcome })
}

interface Failure {
  error: string
  /** `mail`: counts towards its end; `final`: is its end; `everything`: is nothing against this mail, which waits as long as it takes. */
  concerns: 'mail' | 'final' | 'everything'
}

const CONCERNS = { delayed: 'mail', refused: 'final', denied: 'everything', unreachable: 'everything' } as const

async function send(core: StorelessCore, transport: MailTransport, mail: DueMail): Promise<Failure | undefined> {
  try {
    const result = await transport.send(renderMail(core, mail))
    mailAnswers.inc({ answer: result.outcome })
    return result.outcome === 'accepted' ? undefined : { error: result.error, concerns: CONCERNS[result.outcome] }
  } catch (error) {
    // A fault of ours, such as a mail that cannot be rendered.
    return { error: error instanceof Error ? error.message : String(error), concerns: 'mail' }
  }
}

/** What its envelope's history tells of a mail; of the others it tells nothing. */
const AUDIT_OF_TEMPLATE: Partial<Record<SignerTemplate, AuditAction>> = { SIGNING_LINK: 'link.mailed', COMPLETED: 'copy.mailed' }

async function recordSent(core: StorelessCore, mail: DueMail): Promise<Outcome> {
  const { orgId, id } = mail
  const action = isToPerson(mail) ? undefined : AUDIT_OF_TEMPLATE[mail.template]
  const isFirst =
    isToPerson(mail) || !action ? await markMailSent(core.database, orgId, id) : await recordAudited(core, mail, action)
  return isFirst ? 'done' : 'superseded'
}

async function recordAudited(core: StorelessCore, mail: DueSignerMail, action: AuditAction): Promise<boolean> {
  const { orgId, id } = mail
  try {
    return await recordWithAudit(core, mail, action)
  } catch (err) {
    if (isUnavailable(err)) throw err
    // It has gone out, and goes out no second time because its envelope's history cannot be written.
    core.log.error({ err, orgId, mailId: id }, 'mail.not_audited')
    return markMailSent(core.database, orgId, id)
  }
}

async function recordWithAudit({ database, keys }: StorelessCore, mail: DueSignerMail, action: AuditAction): Promise<boolean> {
  const { orgId, id, envelopeId, signerId } = mail
  return inTransaction(database, async (sql) => {
    // They travel together. The lock comes first, so that the others see whatever it waited for.
    const [, isFirst] = await Promise.all([
      lockChain(sql, orgId, envelopeId),
      markMailSent(sql, orgId, id),
      recordAudit(sql, keys, orgId, envelopeId, { ...SYSTEM, action, detail: { signerId } }),
    ])
    return isFirst
  })
}

function isLast({ failures }: DueMail, { concerns }: Failure): boolean {
  return concerns === 'final' || (concerns === 'mail' && failures + 1 >= MAX_MAIL_ATTEMPTS)
}

async function postpone(core: StorelessCore, mail: DueMail, failure: Failure): Promise<Outcome> {
  const { orgId, id, attempts, failures } = mail
  const { error, concerns } = failure
  const park = isLast(mail, failure)
  const longestSeconds = concerns === 'everything' ? LONGEST_OUTAGE_DELAY_SECONDS : LONGEST_DELAY_SECONDS
  const counts = concerns !== 'everything'
  const delaySeconds = Math.min(FIRST_DELAY_SECONDS * 2 ** (counts ? failures : attempts - 1), longestSeconds)
  core.log.warn({ orgId, mailId: id, attempts, park, error }, 'mail.failed')
  const isPostponed = await delayMail(core.database, mail, { error, delaySeconds, park, counts })
  if (!isPostponed) return 'superseded'
  return park ? 'parked' : 'failed'
}
