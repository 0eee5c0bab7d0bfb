// Sending freezes the draft, creates a link for every signer and queues the emails of those whose turn it is. Spec, operation sendEnvelope.
import { appendAudit, type AuditEntry, byCaller } from '#core/audit/record-audit.ts'
import { findChainEnd } from '#core/audit/store.ts'
import { insertLinks, type NewLink } from '#core/envelope/ceremony/link-store.ts'
import { linkExpiry } from '#core/envelope/ceremony/rules.ts'
import type { Caller, Core } from '#core/context.ts'
import { countDocuments } from '#core/envelope/document/store.ts'
import { newEvents } from '#core/event/record-event.ts'
import { insertEvents } from '#core/event/store.ts'
import type { EnvelopeId, SignerId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import { dueMessages, type MailRequest, newMail } from '#core/mail/record-mail.ts'
import { insertMails } from '#core/mail/store.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { reserveInWindows } from '#core/account/quota/reserve.ts'
import { signersInTurn } from '#core/envelope/signer/rules.ts'
import type { Signer } from '#core/envelope/signer/signer.ts'
import { listSigners, setSignerStatuses } from '#core/envelope/signer/store.ts'
import { lockEnvelopeForChange } from './lock-for-change.ts'
import { assertSendable, computeLapsesAt, statusAfterSend } from './rules.ts'
import { type LockedEnvelope, setEnvelopeStatus } from './store.ts'

export interface SigningToken {
  signerId: SignerId
  email: string
  name: string
  signOrder: number
  token: string
  signingUrl: string
  /** Null until the signer's turn: a link's lifetime begins with its email. */
  expiresAt: Date | null
}

export interface SentEnvelope {
  envelopeId: EnvelopeId
  status: 'SENT'
  signingTokens: SigningToken[]
}

/** The tokens are only in this result and in the emails. Throws ENVELOPE_NOT_FOUND, ENVELOPE_ALREADY_SENT, ENVELOPE_NOT_DRAFT, NO_SIGNERS,
 *  NO_DOCUMENTS, QUOTA_EXCEEDED, ForbiddenError. */
export async function sendEnvelope(core: Core, caller: Caller, id: EnvelopeId): Promise<SentEnvelope> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const [envelope, signers, { count }, end] = await Promise.all([
      lockEnvelopeForChange(sql, caller, id, 'envelope:send'),
      listSigners(sql, orgId, id),
      countDocuments(sql, orgId, id),
      findChainEnd(sql, orgId, id),
    ])
    const status = statusAfterSend(envelope.status, envelope.sentAt !== null)
    assertSendable(signers.length, count)
    const inTurn = signersInTurn(signers, envelope.sequentialSigning)
    const dueIds = inTurn.map((signer) => signer.id)
    const expiry = linkExpiry(envelope.now, envelope.linkTtlSeconds, envelope.expiresAt)
    const signingTokens = signers.map((signer) => newSigningToken(core, signer, inTurn.includes(signer) ? expiry : null))
    const links = signingTokens.map((token) => toLink(envelope, token))
    const mails = signingTokens.map((token) => newMail(core.keys, linkMail(id, token)))
    const events = newEvents({ type: 'envelope.sent', envelope: { ...envelope, status } })
    const sent: AuditEntry = {
      ...byCaller(caller),
      action: 'envelope.sent',
      detail: { signers: signers.length, documents: count },
    }
    reserveInWindows(
      sql,
      orgId,
      core.settings,
      { dimension: 'EMAILS_PER_HOUR', count: inTurn.length },
      { dimension: 'ENVELOPES_SENT_PER_DAY', count: 1 },
    )
    await Promise.all([
      setEnvelopeStatus(sql, orgId, id, status, computeLapsesAt(envelope.expiresAt, [expiry])),
      insertLinks(sql, orgId, links),
      insertMails(sql, orgId, mails),
      insertEvents(sql, orgId, events),
      insertOutbox(sql, orgId, ...dueMessages(orgId, mails)),
      setSignerStatuses(sql, orgId, id, dueIds, 'SENT'),
      appendAudit(sql, core.keys, orgId, id, end, sent),
    ])
    return { envelopeId: id, status: 'SENT', signingTokens }
  })
}

function newSigningToken(
  { settings }: Core,
  { id: signerId, email, name, signOrder }: Signer,
  expiresAt: Date | null,
): SigningToken {
  const token = newToken()
  return { signerId, email, name, signOrder, token, signingUrl: `${settings.publicUrl}/sign/${token}`, expiresAt }
}

function toLink({ id: envelopeId, now }: LockedEnvelope, { signerId, token, expiresAt }: SigningToken): NewLink {
  return { signerId, envelopeId, tokenHash: hashToken(token), releasedAt: expiresAt && now, expiresAt }
}

function linkMail(envelopeId: EnvelopeId, { signerId, token, expiresAt }: SigningToken): MailRequest {
  return { envelopeId, signerId, template: 'SIGNING_LINK', secret: token, held: expiresAt === null }
}
