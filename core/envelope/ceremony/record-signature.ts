// The consequences of a signature: signer, link, next signers and, with the last one, the envelope's completion and the seal job.
import { appendAudit, type AuditEntry, SYSTEM } from '#core/audit/record-audit.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import { computeLapsesAt, nextStatus } from '#core/envelope/rules.ts'
import { setEnvelopeStatus, setLapsesAt } from '#core/envelope/store.ts'
import { newEvents, recordEvents } from '#core/event/record-event.ts'
import { insertEvents } from '#core/event/store.ts'
import type { SignatureId } from '#core/ids.ts'
import { releaseMails } from '#core/mail/record-mail.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { jobMessage } from '#core/work/job.ts'
import { insertSealJob, SEAL_WORK } from '#core/envelope/seal-job.ts'
import { countMails, release } from '#core/account/quota/reserve.ts'
import { signersInTurn } from '#core/envelope/signer/rules.ts'
import type { Signer } from '#core/envelope/signer/signer.ts'
import { listSigners, setSignerStatuses } from '#core/envelope/signer/store.ts'
import type { Consent } from './consent.ts'
import { asActor, type LinkContext } from './with-signing-link.ts'
import { listOpenLinkExpiries, releaseLinks } from './link-store.ts'
import { linkExpiry } from './rules.ts'
import { insertSignature } from './signature-store.ts'

export interface DrawnSeal {
  signatureId: SignatureId
  signedAt: Date
  appearance: Buffer
}

interface Signed {
  context: LinkContext
  /** The signer as signed. */
  signer: Signer | undefined
  entry: AuditEntry
}

/** Records the signature and returns whether it was the last. The caller holds the envelope's lock and has checked every gate. With one signer the
 *  status passes SENT, IN_PROGRESS, COMPLETED here. */
export async function recordSignature(
  keys: Core['keys'],
  context: LinkContext,
  drawn: DrawnSeal,
  consent: Consent,
  origin: ClientInfo,
): Promise<boolean> {
  const { sql, orgId, signerId, envelope, link } = context
  const [, signers] = await Promise.all([
    insertSignature(sql, orgId, { envelopeId: envelope.id, signerId, ...drawn }),
    listSigners(sql, orgId, envelope.id),
  ])
  const signed: Signed = {
    context: { ...context, envelope: { ...envelope, status: nextStatus('sign', envelope.status) } },
    signer: signers.find(({ id }) => id === signerId),
    entry: { actor: asActor(link), origin, action: 'signer.signed', detail: { signatureId: drawn.signatureId, consent } },
  }
  const completed = signers.every(({ status }) => status === 'SIGNED')
  if (completed) await complete(keys, signed)
  else await advanceToNextSigners(keys, signed, signers)
  return completed
}

async function complete(keys: Core['keys'], { context, signer, entry }: Signed): Promise<void> {
  const { sql, orgId, envelope, chainEnd } = context
  const completed = { ...envelope, status: nextStatus('complete', envelope.status) }
  // Receivers may fetch the sealed copies on `envelope.completed`, so it is held until they are stored.
  const events = newEvents(
    { type: 'signer.signed', envelope, signer },
    { type: 'envelope.completed', envelope: completed, isHeld: true },
  )
  release(sql, orgId, { openEnvelopes: 1 })
  await Promise.all([
    setEnvelopeStatus(sql, orgId, envelope.id, completed.status),
    insertSealJob(sql, orgId, envelope.id),
    insertEvents(sql, orgId, events),
    insertOutbox(sql, orgId, jobMessage(SEAL_WORK, { orgId, id: envelope.id })),
    appendAudit(sql, keys, orgId, envelope.id, chainEnd, entry, { ...SYSTEM, action: 'envelope.completed' }),
  ])
}

async function advanceToNextSigners(
  keys: Core['keys'],
  { context, signer, entry }: Signed,
  signers: readonly Signer[],
): Promise<void> {
  const { sql, orgId, envelope, chainEnd } = context
  const next = signersInTurn(signers, envelope.sequentialSigning).filter(({ status }) => status === 'PENDING')
  await Promise.all([
    setEnvelopeStatus(sql, orgId, envelope.id, envelope.status),
    recordEvents(sql, orgId, { type: 'signer.signed', envelope, signer }),
    appendAudit(sql, keys, orgId, envelope.id, chainEnd, entry),
    startTurn(context, next),
    refreshExpiry(context), // after the release of the links that it depends on
  ])
}

/** Starts the turn of these signers. */
async function startTurn({ sql, orgId, envelope }: LinkContext, signers: readonly Signer[]): Promise<void> {
  if (signers.length === 0) return
  const ids = signers.map(({ id }) => id)
  countMails(sql, orgId, ids.length)
  await Promise.all([
    releaseLinks(sql, orgId, ids, linkExpiry(envelope.now, envelope.linkTtlSeconds, envelope.expiresAt)),
    setSignerStatuses(sql, orgId, envelope.id, ids, 'SENT'),
    releaseMails(sql, orgId, ids),
  ])
}

async function refreshExpiry({ sql, orgId, envelope }: LinkContext): Promise<void> {
  const expiries = await listOpenLinkExpiries(sql, orgId, envelope.id)
  await setLapsesAt(sql, orgId, envelope.id, computeLapsesAt(envelope.expiresAt, expiries))
}
