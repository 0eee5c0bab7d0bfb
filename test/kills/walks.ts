// Envelopes on their way from upload to seal when everything is killed, each at a point of its own.
import { newProgress, type Progress } from '../support/clients/crash-walk.ts'
import type { Credential } from './keyed-requests.ts'

/** Where a walk is when everything is killed: before this write, the so-and-so-many'th of the walk. */
export const WALK_POINTS: [name: string, write: string, nth: number][] = [
  ['the document’s bytes are received, nothing is recorded', 'insert on documents', 1],
  ['the document is stored, not acknowledged', 'update of stored_at on documents', 1],
  ['the envelope is about to be created', 'insert on envelopes', 1],
  ['the document is about to be attached', 'update of envelope_id on documents', 1],
  ['the first link is about to be made', 'insert on signing_links', 1],
  ['the second link is about to be made', 'insert on signing_links', 2],
  ['the send is not published yet', 'insert on outbox', 1],
  ['a link is mailed, not recorded as mailed', 'update of done_at on mails', 1],
  ['a view is about to be recorded', 'insert on document_views', 1],
  ['the first signature is about to be written', 'insert on signatures', 1],
  ['the last signature is written, the promise to seal is not', 'insert on seal_jobs', 1],
  ['the document is sealed, not recorded', 'insert on sealed_documents', 1],
  ['the sealed copy is stored, not recorded as stored', 'update of stored_at on sealed_documents', 1],
  ['everything is sealed, the promise is still open', 'update of done_at on seal_jobs', 1],
  ['everything is sealed, the audit report is not wanted yet', 'insert on audit_reports', 1],
  // A process makes one report at a time, so only one can wait.
  ['the audit report is stored, the promise is still open', 'update of done_at on audit_reports', 1],
]

/** An envelope of an organisation of its own. */
export interface KilledWalk {
  credential: Credential
  progress: Progress
}

/** A walk that has not begun. */
export function newWalk(credential: Credential, id: number): KilledWalk {
  return { credential, progress: newProgress(id) }
}
