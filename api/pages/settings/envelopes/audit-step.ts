// An audit trail entry as a sentence. Pure.
import type { AuditActor, AuditEvent, Envelope, EnvelopeDocument } from '../data/records.ts'
import type { AuditStep } from '../locales/en-audit.ts'
import type { PanelTexts } from '../locales/en.ts'

/** Names of what the entries refer to by ID. */
export interface AuditContext {
  signers: Envelope['signers']
  documents: readonly Pick<EnvelopeDocument, 'id' | 'filename'>[]
}

/** The actor and the action in words; an action without a text is shown by its code. */
export function auditSentence(event: AuditEvent, context: AuditContext, texts: PanelTexts['audit']): string {
  const actor = actorName(event.actor, texts)
  const steps: Partial<Record<string, AuditStep>> = texts.steps
  const sentence = Object.hasOwn(steps, event.action) ? steps[event.action] : undefined
  if (!sentence) return `${actor}: ${event.action}`
  const documents = context.documents.filter(({ id }) => isNamed(event.detail, ['documentId', 'documentIds'], id))
  return sentence({
    actor,
    signer: context.signers.find(({ id }) => isNamed(event.detail, ['signerId'], id))?.name,
    document: documents.map(({ filename }) => filename).join(', ') || undefined,
  })
}

function actorName(actor: AuditActor, texts: PanelTexts['audit']): string {
  switch (actor.kind) {
    case 'credential':
      return texts.credential(actor.clientId)
    case 'person':
      return texts.person(actor.email)
    case 'signer':
      return actor.name
    case 'system':
    default:
      return texts.system
  }
}

function isNamed(detail: AuditEvent['detail'], names: readonly string[], id: string): boolean {
  return names.some((name) => {
    const value = detail[name]
    return value === id || (Array.isArray(value) && value.includes(id))
  })
}
