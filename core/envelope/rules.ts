// The state machine of envelopes and the conditions of sending one, as pure functions. Spec, "States and transitions".
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MAX_DOCUMENTS, MAX_EXPIRY_SECONDS, MAX_SIGNERS } from '#core/limits.ts'

export const ENVELOPE_STATUSES = ['DRAFT', 'SENT', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const
export type EnvelopeStatus = (typeof ENVELOPE_STATUSES)[number]
export type EnvelopeAction = 'edit' | 'send' | 'sign' | 'complete' | 'cancel' | 'expire'

interface Transition {
  from: readonly EnvelopeStatus[]
  to: EnvelopeStatus
  refusal: ErrorCode
}

const TRANSITIONS: Record<EnvelopeAction, Transition> = {
  edit: { from: ['DRAFT'], to: 'DRAFT', refusal: 'ENVELOPE_NOT_DRAFT' },
  send: { from: ['DRAFT'], to: 'SENT', refusal: 'ENVELOPE_ALREADY_SENT' },
  sign: { from: ['SENT', 'IN_PROGRESS'], to: 'IN_PROGRESS', refusal: 'ENVELOPE_NOT_OPEN' },
  complete: { from: ['IN_PROGRESS'], to: 'COMPLETED', refusal: 'ENVELOPE_NOT_OPEN' },
  cancel: { from: ['SENT', 'IN_PROGRESS'], to: 'CANCELLED', refusal: 'ENVELOPE_NOT_CANCELLABLE' },
  expire: { from: ['DRAFT', 'SENT', 'IN_PROGRESS'], to: 'EXPIRED', refusal: 'ENVELOPE_NOT_OPEN' },
}

/** The status that `action` leads to; throws the action's own conflict code when the transition is not allowed. */
export function nextStatus(action: EnvelopeAction, status: EnvelopeStatus): EnvelopeStatus {
  const { from, to, refusal } = TRANSITIONS[action]
  if (!from.includes(status)) throw new DomainError(refusal)
  return to
}

/** The status after `send`; a draft that expired was never sent, so it gives ENVELOPE_NOT_DRAFT. */
export function statusAfterSend(status: EnvelopeStatus, wasSent: boolean): EnvelopeStatus {
  if (status === 'EXPIRED' && !wasSent) throw new DomainError('ENVELOPE_NOT_DRAFT')
  return nextStatus('send', status)
}

/** Throws NO_SIGNERS or NO_DOCUMENTS. Spec, States and transitions, rule 3. */
export function assertSendable(signerCount: number, documentCount: number): void {
  if (signerCount === 0) throw new DomainError('NO_SIGNERS')
  if (documentCount === 0) throw new DomainError('NO_DOCUMENTS')
}

/** Throws TOO_MANY_SIGNERS. */
export function assertSignerCount(count: number): void {
  if (count > MAX_SIGNERS) throw new DomainError('TOO_MANY_SIGNERS')
}

/** Throws TOO_MANY_DOCUMENTS. */
export function assertDocumentCount(count: number): void {
  if (count > MAX_DOCUMENTS) throw new DomainError('TOO_MANY_DOCUMENTS')
}

/** Throws EXPIRY_OUT_OF_RANGE unless the expiry is far enough ahead, and not too far. */
export function assertExpiryInRange(expiresAt: Date, now: Date, minSeconds: number): void {
  const seconds = (expiresAt.getTime() - now.getTime()) / 1000
  if (seconds < minSeconds || seconds > MAX_EXPIRY_SECONDS) throw new DomainError('EXPIRY_OUT_OF_RANGE')
}

/** Computes when an envelope lapses, that is, expires automatically: at its own expiry, or when the last open link has expired, whichever is first. */
export function computeLapsesAt(expiresAt: Date | null, openLinkExpiries: readonly Date[]): Date | null {
  const lastLink = openLinkExpiries.length > 0 ? Math.max(...openLinkExpiries.map(Number)) : undefined
  const ends = [expiresAt?.getTime(), lastLink].filter((end) => end !== undefined)
  return ends.length > 0 ? new Date(Math.min(...ends)) : null
}
