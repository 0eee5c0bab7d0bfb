// Sending freezes the draft, makes every signer a link and queues the mails of those whose turn it is. Spec, operation sendEnvelope.
import { byCaller, recordAudit } from '#core/audit/record-audit.ts'
import { insertLink } from '#core/ceremony/link-store.ts'
import { linkExpiry } from '#core/ceremony/rules.ts'
import type { Caller, Core } from '#core/context.ts'
import { countDocuments } from '#core/document/store.ts'
import { recordEvent } from '#core/event/record-event.ts'
import { type EnvelopeId, hashToken, newToken, type SignerId } from '#core/ids.ts'
import { recordMail } from '#core/mail/record-mail.ts'
import { inOrganisation, type Sql } from '#core/postgres/client.ts'
import { reserveInWindow } from '#core/quota/reserve.ts'
import { signersInTurn } from '#core/signer/rules.ts'
import type { Signer } from '#core/signer/signer.ts'
import { listSigners, setSignerStatuses } from '#core/signer/store.ts'
import { lockEnvelopeFor } from './lock-for.ts'
import { assertSendable, lapseOf, statusAfterSend } from './rules.ts'
import { type LockedEnvelope, setEnvelopeStatus, setLapse } from './store.ts'

export interface SigningToken {
  signerId: SignerId
  email: string
  name: string
  signOrder: number
  token: string
  signingUrl: string
  /** Null while the signer's turn has not come: a link lives from its own mail on. */
  expiresAt: Date | null
}

export interface SentEnvelope {
  envelopeId: EnvelopeId
  status: 'SENT'
  signingTokens: SigningToken[]
}

/** The tokens are in this answer and in the mails, and nowhere readable else.
 *  Throws ENVELOPE_NOT_FOUND, ENVELOPE_ALREADY_SENT, ENVELOPE_NOT_DRAFT, NO_SIGNERS, NO_DOCUMENTS, QUOTA_EXCEEDED, Forbidden. */
export async function sendEnvelope(core: Core, caller: Caller, id: EnvelopeId): Promise<SentEnvelope> {
  const { orgId } = caller
  return inOrganisation(core.database, orgId, async (sql) => {
    const envelope = await lockEnvelopeFor(sql, caller, id, 'envelope:send')
    const status = statusAfterSend(envelope.status, envelope.sentAt !== null)
    const signers = await listSigners(sql, orgId, [id])
    const { count } = await countDocuments(sql, orgId, id)
    assertSendable(signers.length, count)
    const inTurn = signersInTurn(signers, envelope.sequentialSigning)
    await setEnvelopeStatus(sql, orgId, id, status)
    const signingTokens = await makeLinks(sql, core, caller, envelope, { signers, inTurn })
    const open = signingTokens.flatMap(({ expiresAt }) => expiresAt ?? [])
    await setLapse(sql, orgId, id, lapseOf(envelope.expiresAt, open))
    await recordEvent(sql, orgId, 'envelope.sent', { ...envelope, status })
    await recordAudit(sql, core.keys, orgId, id, {
      ...byCaller(caller),
      action: 'envelope.sent',
      detail: { signers: signers.length, documents: count },
    })
    await reserveInWindow(sql, orgId, core.settings, 'EMAILS_PER_HOUR', inTurn.length)
    await reserveInWindow(sql, orgId, core.settings, 'ENVELOPES_SENT_PER_DAY', 1)
    return { envelopeId: id, status: 'SENT', signingTokens }
  })
}

async function makeLinks(
  sql: Sql,
  core: Core,
  { orgId }: Caller,
  envelope: LockedEnvelope,
  { signers, inTurn }: { signers: readonly Signer[]; inTurn: readonly Signer[] },
): Promise<SigningToken[]> {
  const expiry = linkExpiry(envelope.now, envelope.linkTtlSeconds, envelope.expiresAt)
  const tokens: SigningToken[] = []
  for (const signer of signers) {
    const token = newToken()
    const isDue = inTurn.includes(signer)
    const expiresAt = isDue ? expiry : null
    const link = { signerId: signer.id, envelopeId: envelope.id, tokenHash: hashToken(token) }
    await insertLink(sql, orgId, { ...link, releasedAt: isDue ? envelope.now : null, expiresAt })
    await recordMail(sql, core.keys, orgId, { ...link, template: 'SIGNING_LINK', secret: token, held: !isDue })
    const { id: signerId, email, name, signOrder } = signer
    tokens.push({ signerId, email, name, signOrder, token, signingUrl: `${core.settings.publicUrl}/sign/${token}`, expiresAt })
  }
  const dueIds = inTurn.map(({ id }) => id)
  await setSignerStatuses(sql, orgId, dueIds, 'SENT')
  return tokens
}
