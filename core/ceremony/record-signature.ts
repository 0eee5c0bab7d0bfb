// What a signature changes: the signer, the link, the turn of the next, and with the last one the envelope and the promise to seal.
import { type AuditEntry, recordAudit, SYSTEM } from '#core/audit/record-audit.ts'
import type { Core, Origin } from '#core/context.ts'
import { lapseOf, nextStatus } from '#core/envelope/rules.ts'
import { setEnvelopeStatus, setLapse } from '#core/envelope/store.ts'
import type { EnvelopeId, SignatureId } from '#core/ids.ts'
import { recordEvent } from '#core/event/record-event.ts'
import { releaseMails } from '#core/mail/record-mail.ts'
import { releaseOpenEnvelope } from '#core/quota/reserve.ts'
import { requestSeal } from '#core/seal/request-seal.ts'
import { insertSignature } from '#core/seal/store.ts'
import { signersInTurn } from '#core/signer/rules.ts'
import type { Signer } from '#core/signer/signer.ts'
import { listSigners, markSigned, setSignerStatuses } from '#core/signer/store.ts'
import { asActor, type Visit } from './enter.ts'
import { listOpenLinkExpiries, markLinkUsed, releaseLinks } from './link-store.ts'
import { linkExpiry } from './rules.ts'

export interface DrawnSeal {
  signatureId: SignatureId
  signedAt: Date
  appearance: Buffer
}

export interface SignOutcome {
  completed: boolean
  envelopeId: EnvelopeId
}

/** Writes the signature. The caller holds the envelope's lock and has asked every gate. A lone signer passes SENT, IN_PROGRESS, COMPLETED here. */
export async function recordSignature(keys: Core['keys'], visit: Visit, drawn: DrawnSeal, origin: Origin): Promise<SignOutcome> {
  const { sql, orgId, signerId, envelope, link } = visit
  const by: Pick<AuditEntry, 'actor' | 'origin'> = { actor: asActor(link), origin }
  await insertSignature(sql, orgId, { envelopeId: envelope.id, signerId, ...drawn })
  await markSigned(sql, orgId, signerId, drawn.signedAt)
  await markLinkUsed(sql, orgId, signerId)
  const signers = await listSigners(sql, orgId, [envelope.id])
  const inProgress = { ...envelope, status: nextStatus('sign', envelope.status) }
  const signed = signers.find(({ id }) => id === signerId)
  await recordEvent(sql, orgId, 'signer.signed', inProgress, signed)
  await recordAudit(sql, keys, orgId, envelope.id, { ...by, action: 'signer.signed', detail: { signatureId: drawn.signatureId } })
  const completed = signers.every(({ status }) => status === 'SIGNED')
  if (completed) await complete(keys, { ...visit, envelope: inProgress })
  else await passOn({ ...visit, envelope: inProgress }, signers)
  return { completed, envelopeId: envelope.id }
}

async function complete(keys: Core['keys'], { sql, orgId, envelope }: Visit): Promise<void> {
  const status = nextStatus('complete', envelope.status)
  await setEnvelopeStatus(sql, orgId, envelope.id, status)
  await recordEvent(sql, orgId, 'envelope.completed', { ...envelope, status })
  await recordAudit(sql, keys, orgId, envelope.id, { ...SYSTEM, action: 'envelope.completed' })
  await requestSeal(sql, orgId, envelope.id)
  await releaseOpenEnvelope(sql, orgId)
}

async function passOn({ sql, orgId, envelope }: Visit, signers: readonly Signer[]): Promise<void> {
  await setEnvelopeStatus(sql, orgId, envelope.id, envelope.status)
  const next = signersInTurn(signers, envelope.sequentialSigning).filter(({ status }) => status === 'PENDING')
  const nextIds = next.map(({ id }) => id)
  await releaseLinks(sql, orgId, nextIds, linkExpiry(envelope.now, envelope.linkTtlSeconds, envelope.expiresAt))
  await setSignerStatuses(sql, orgId, nextIds, 'SENT')
  await releaseMails(sql, orgId, nextIds)
  await setLapse(sql, orgId, envelope.id, lapseOf(envelope.expiresAt, await listOpenLinkExpiries(sql, orgId, envelope.id)))
}
