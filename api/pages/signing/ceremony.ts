// The signing ceremony as a pure state machine: the signer's current step, and the events that change it. The server decides every
// gate, so a reload returns to the same step.
import type { ErrorCode } from '../../schemas/error.ts'
import { codeOf, type Failure } from '../http/failure.ts'
import type { CeremonyDocument, SigningView } from './ceremony-client.ts'

/** Why the link allows no further action. */
export type ClosedReason = 'link' | 'envelope' | 'turn'

export type Ceremony =
  | { step: 'loading' }
  | { step: 'unreachable'; failure: Failure }
  | { step: 'closed'; reason: ClosedReason }
  | { step: 'code'; view: SigningView; permissionLost: boolean }
  | { step: 'documents'; view: SigningView; openedIds: readonly string[] }
  | { step: 'signed'; view: SigningView }

export type CeremonyEvent =
  | { type: 'reload' }
  | { type: 'link-opened'; view: SigningView; openedIds: readonly string[] }
  | { type: 'failed'; failure: Failure }
  | { type: 'document-opened'; id: string }
  | { type: 'signed' }

/** The state after an event. Events that do not apply to the current step change nothing. */
export function nextCeremony(ceremony: Ceremony, event: CeremonyEvent): Ceremony {
  switch (event.type) {
    case 'reload':
      return { step: 'loading' }
    case 'link-opened':
      return stepOf(event.view, event.openedIds)
    case 'failed':
      return afterFailure(ceremony, event.failure)
    case 'document-opened':
      if (ceremony.step !== 'documents' || ceremony.openedIds.includes(event.id)) return ceremony
      return { ...ceremony, openedIds: [...ceremony.openedIds, event.id] }
    case 'signed':
    default:
      return ceremony.step === 'documents' ? { step: 'signed', view: ceremony.view } : ceremony
  }
}

function stepOf(view: SigningView, openedIds: readonly string[]): Ceremony {
  if (view.alreadySigned) return { step: 'signed', view }
  if (view.requiresOtp) return { step: 'code', view, permissionLost: false }
  return { step: 'documents', view, openedIds: openedIds.filter((id) => view.documents.some((document) => document.id === id)) }
}

const CLOSED_BY: Partial<Record<string, ClosedReason>> = {
  SIGNING_LINK_NOT_FOUND: 'link',
  ENVELOPE_NOT_OPEN: 'envelope',
  NOT_YOUR_TURN: 'turn',
} satisfies Partial<Record<ErrorCode, ClosedReason>>

/**
 * Some failures end the ceremony at any step. All others are shown by the action that failed and change nothing here,
 * except that a link that cannot be opened at all becomes `unreachable`.
 */
function afterFailure(ceremony: Ceremony, failure: Failure): Ceremony {
  const code = codeOf(failure) ?? ''
  const reason = CLOSED_BY[code]
  if (reason) return { step: 'closed', reason }
  if (ceremony.step === 'loading') return { step: 'unreachable', failure }
  // The server knows the signer's current step.
  if (code === 'ALREADY_SIGNED' || code === 'OTP_NOT_REQUIRED') return { step: 'loading' }
  if (code === 'OTP_REQUIRED' && 'view' in ceremony) return { step: 'code', view: ceremony.view, permissionLost: true }
  return ceremony
}

/** What the main button does next: open the next unread document, or sign. */
export type NextAction = { kind: 'open'; document: CeremonyDocument } | { kind: 'sign' }

/** The next unread document after the current one; `sign` once all were opened. */
export function nextAction(documents: readonly CeremonyDocument[], openedIds: readonly string[], currentId: string): NextAction {
  const start = documents.findIndex((document) => document.id === currentId) + 1
  const onward = [...documents.slice(start), ...documents.slice(0, start)]
  const unread = onward.find((document) => !openedIds.includes(document.id))
  return unread ? { kind: 'open', document: unread } : { kind: 'sign' }
}
