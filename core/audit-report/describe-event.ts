// Turns rows of the audit trail into sentences. Names come from the envelope, everything else from the row alone.
import type { JsonValue } from '#core/platform/text/canonical-json.ts'
import type { AuditSubject, ReportTexts } from './locales/texts.ts'
import type { Actor, AuditContent } from '#core/audit/rules.ts'

/** Names for the ids in a row, by id. */
export interface Names {
  signers: ReadonlyMap<string, string>
  documents: ReadonlyMap<string, string>
}

export interface DescribedEvent {
  /** Who did it: a name, an address, a client id. */
  who: string
  /** The role in which they did it. */
  as: string
  /** What happened, as a sentence. */
  what: string
}

/** Describes every part of an intact row; of a row that was tampered with, as much as possible. */
export function describeEvent(
  { actor, action, detail }: Pick<AuditContent, 'actor' | 'action' | 'detail'>,
  names: Names,
  texts: ReportTexts,
): DescribedEvent {
  const sentence: ((subject: AuditSubject) => string) | undefined = texts.steps[action]
  return { ...describeActor(actor, texts), what: sentence ? sentence(subjectOf(detail, names)) : text(action) }
}

function describeActor(actor: Actor, { as }: ReportTexts): Pick<DescribedEvent, 'who' | 'as'> {
  switch (actor.kind) {
    case 'credential':
      return { who: actor.clientId, as: as.credential }
    case 'person':
      return { who: actor.email, as: as.person }
    case 'signer':
      return { who: actor.name, as: actor.email }
    case 'system':
      break
  }
  return { who: 'Sealwright', as: as.system }
}

function subjectOf(detail: AuditContent['detail'], names: Names): AuditSubject {
  const { signerId, documentId, signatureId, signers, documents, durationMs } = detail
  return {
    signer: nameOf(signerId, names.signers),
    document: nameOf(documentId, names.documents),
    signature: text(signatureId),
    signers: text(signers),
    documents: text(Array.isArray(documents) ? documents.length : documents),
    seconds: typeof durationMs === 'number' ? Math.round(durationMs / 1000) : undefined,
  }
}

function nameOf(id: JsonValue | undefined, names: ReadonlyMap<string, string>): string {
  return names.get(text(id)) ?? text(id)
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?'
}
