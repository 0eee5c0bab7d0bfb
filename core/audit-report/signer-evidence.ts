// What the audit trail records about one signer: how the signer was identified, what was opened, what was signed. Nothing is inferred.
import type { AuditContent } from '#core/audit/rules.ts'

type Event = Pick<AuditContent, 'at' | 'actor' | 'action' | 'detail'>

export interface SignerEvidence {
  /** When the signing link was first emailed; null when no email is recorded. ISO 8601, as every time here. */
  linkMailedAt: string | null
  /** When the last one-time code was accepted. */
  codeAcceptedAt: string | null
  /** How often the documents were opened, and when first. */
  openings: number
  firstOpenedAt: string | null
  /** The total that the browser reported; null when it reported none. */
  onScreenMs: number | null
  signature: RecordedSignature | null
}

export interface RecordedSignature {
  id: string
  at: string
  /** Null in a row without one. */
  consent: { version: number; language: string } | null
}

/** Reads the evidence about a signer from the events of the envelope, oldest first. */
export function evidenceOf(events: readonly Event[], signerId: string): SignerEvidence {
  const own = events.filter(({ actor }) => actor.kind === 'signer' && actor.signerId === signerId)
  const opened = own.filter(({ action }) => action === 'document.opened')
  const durations = own.flatMap(({ action, detail }) =>
    action === 'document.closed' && typeof detail['durationMs'] === 'number' ? [detail['durationMs']] : [],
  )
  const signed = own.find(({ action }) => action === 'signer.signed')
  const mailed = events.find(({ action, detail }) => action === 'link.mailed' && detail['signerId'] === signerId)
  return {
    linkMailedAt: mailed?.at ?? null,
    codeAcceptedAt: own.findLast(({ action }) => action === 'code.accepted')?.at ?? null,
    openings: opened.length,
    firstOpenedAt: opened[0]?.at ?? null,
    onScreenMs: durations.length > 0 ? durations.reduce((sum, each) => sum + each, 0) : null,
    signature: signed ? toSignature(signed) : null,
  }
}

function toSignature(signed: Event): RecordedSignature {
  const { signatureId } = signed.detail
  return { id: typeof signatureId === 'string' ? signatureId : '?', at: signed.at, consent: consentOf(signed) }
}

function consentOf({ detail }: Event): RecordedSignature['consent'] {
  const { consent } = detail
  if (typeof consent !== 'object' || consent === null || !('version' in consent)) return null
  const { version, language } = consent
  return typeof version === 'number' && typeof language === 'string' ? { version, language } : null
}
