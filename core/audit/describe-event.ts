// The rows of the audit trail in sentences for people. Names come from the envelope, what happened from the row alone.
import type { JsonValue } from './canonical-json.ts'
import type { Actor, AuditAction, AuditContent } from './rules.ts'

/** What the ids in a row are called, by id. */
export interface Names {
  signers: ReadonlyMap<string, string>
  documents: ReadonlyMap<string, string>
}

export interface DescribedEvent {
  /** Who did it: a name, an address, a client id. */
  who: string
  /** In what capacity. */
  as: string
  /** What happened, as a sentence. */
  what: string
}

type Detail = AuditContent['detail']
type Sentence = (detail: Detail, names: Names) => string

const SENTENCES: Record<AuditAction, Sentence> = {
  'envelope.created': ({ signers }) => `Created the envelope with ${count(signers, 'signer')}.`,
  'envelope.deleted': () => 'Deleted the draft.',
  'envelope.sent': ({ signers, documents }) =>
    `Sent the envelope: ${count(documents, 'document')} to ${count(signers, 'signer')}.`,
  'envelope.cancelled': () => 'Cancelled the envelope; every open signing link ended.',
  'envelope.completed': () => 'Every signer had signed: the envelope was completed.',
  'envelope.expired': () => 'The time to sign was over: the envelope expired.',
  'envelope.sealed': ({ documents }) => `Sealed ${count(Array.isArray(documents) ? documents.length : undefined, 'document')}.`,
  'envelope.archived': () => 'Removed the files at the end of their retention.',
  'legal_hold.set': () => 'Put the files under legal hold.',
  'legal_hold.released': () => 'Released the files from legal hold.',
  'signer.added': ({ signerId }, { signers }) => `Added the signer ${nameOf(signerId, signers)}.`,
  'document.attached': ({ documentId }, { documents }) => `Attached the document ${nameOf(documentId, documents)}.`,
  'link.mailed': ({ signerId }, { signers }) => `Mailed the signing link to ${nameOf(signerId, signers)}.`,
  'code.requested': () => 'Asked for a one-time code.',
  'code.accepted': () => 'Entered the right one-time code.',
  'code.refused': () => 'Entered a wrong one-time code.',
  'document.opened': () => 'Opened the documents.',
  'document.closed': ({ durationMs }) => `Closed the documents${after(durationMs)}.`,
  'signer.signed': ({ signatureId }) => `Signed. Signature ${text(signatureId)}.`,
  'copy.mailed': ({ signerId }, { signers }) => `Mailed the way to the signed copy to ${nameOf(signerId, signers)}.`,
}

/** Of a row that nobody has tampered with, every part is known; of any other, what can be said. */
export function describeEvent(
  { actor, action, detail }: Pick<AuditContent, 'actor' | 'action' | 'detail'>,
  names: Names,
): DescribedEvent {
  const sentence: Sentence | undefined = SENTENCES[action]
  return { ...describeActor(actor), what: sentence ? sentence(detail, names) : text(action) }
}

function describeActor(actor: Actor): Pick<DescribedEvent, 'who' | 'as'> {
  switch (actor.kind) {
    case 'credential':
      return { who: actor.clientId, as: 'by API credential' }
    case 'person':
      return { who: actor.email, as: 'in the settings panel' }
    case 'signer':
      return { who: actor.name, as: actor.email }
    case 'system':
      break
  }
  return { who: 'Sealwright', as: 'by itself' }
}

function count(value: JsonValue | undefined, noun: string): string {
  return `${text(value)} ${noun}${value === 1 ? '' : 's'}`
}

function after(durationMs: JsonValue | undefined): string {
  if (typeof durationMs !== 'number') return ''
  const seconds = Math.round(durationMs / 1000)
  return seconds < 60 ? ` after ${seconds} s` : ` after ${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function nameOf(id: JsonValue | undefined, names: ReadonlyMap<string, string>): string {
  return names.get(text(id)) ?? text(id)
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?'
}
