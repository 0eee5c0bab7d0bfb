// Audit reports in English.
import type { ReportTexts } from './texts.ts'

const counted = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`

export const en: ReportTexts = {
  title: 'Audit trail',
  intact: 'The trail is intact',
  intactBody: (rows) =>
    `${rows === 1 ? 'Its one entry is' : `Its ${rows} entries are`} what this installation wrote, each in its place, and none is missing.`,
  broken: 'The trail is not intact',
  brokenBody: (seq) =>
    `Entry ${seq} was changed, moved or taken out after it had been written. What stands from there on proves nothing.`,
  facts: {
    envelope: 'Envelope',
    status: 'Status',
    workspace: 'Workspace',
    created: 'Created',
    organisation: 'Organisation',
    createdBy: 'Created by',
    entries: 'Entries',
    ended: 'Ended',
    expires: 'Expires',
    never: 'never',
  },
  envelopeStatus: {
    DRAFT: 'Draft',
    SENT: 'Sent',
    IN_PROGRESS: 'In progress',
    COMPLETED: 'Completed',
    CANCELLED: 'Cancelled',
    EXPIRED: 'Expired',
  },
  signers: { heading: 'Signers', order: 'Order', name: 'Name', email: 'E-mail', signed: 'Signed' },
  signerStatus: {
    PENDING: 'not yet asked',
    SENT: 'asked, not yet signed',
    VIEWED: 'read, not yet signed',
    SIGNED: 'signed',
    EXPIRED: 'did not sign in time',
    CANCELLED: 'not signed, cancelled',
  },
  documents: {
    heading: 'Documents',
    file: 'File',
    original: 'Original, as it was uploaded',
    sealed: 'Sealed copy',
    notSealed: 'No sealed copy',
  },
  events: { heading: 'What happened', number: 'No.', time: 'Time (UTC)', who: 'Who', what: 'What' },
  end: { heading: 'How the trail ends', hash: (rows) => `The hash of entry ${rows}, the last one (SHA-256):` },
  checks: {
    heading: 'How to check it',
    entries: (path) =>
      'The entries. Each is bound to the one before it: its hash is the SHA-256 of the text “sealwright audit v1”, a zero byte, the hash before it (32 zero bytes before the first), and the entry as JSON in the one form of RFC 8785. ' +
      `The same trail as JSON, with every hash, is at ${path}. Whoever keeps the hash above can tell at any later time that nothing before it was changed.`,
    installation:
      'The installation. Each hash also has a code under a key that the database does not hold. An operator checks all of them with: sealwright audit verify',
    documents: (verifyUrl) =>
      'The documents. A file in your hands is one of those above when its SHA-256 is the same (sha256sum file.pdf). A sealed copy carries its signature in itself: ' +
      `PDF readers check it, so does ${verifyUrl}, and without any server: sealwright verify file.pdf. The reason of that signature names the entry with which the signing ended, and its hash.`,
  },
  footer: (envelopeId, time) => `Audit trail of envelope ${envelopeId}, as of ${time}`,
  page: (number, count) => `Page ${number} of ${count}`,
  steps: {
    'envelope.created': ({ signers }) => `Created the envelope with ${counted(signers, 'signer')}.`,
    'envelope.deleted': () => 'Deleted the draft.',
    'envelope.sent': ({ signers, documents }) =>
      `Sent the envelope: ${counted(documents, 'document')} to ${counted(signers, 'signer')}.`,
    'envelope.cancelled': () => 'Cancelled the envelope; every open signing link ended.',
    'envelope.completed': () => 'Every signer had signed: the envelope was completed.',
    'envelope.expired': () => 'The time to sign was over: the envelope expired.',
    'envelope.sealed': ({ documents }) => `Sealed ${counted(documents, 'document')}.`,
    'envelope.archived': () => 'Removed the files at the end of their retention.',
    'legal_hold.set': () => 'Put the files under legal hold.',
    'legal_hold.released': () => 'Released the files from legal hold.',
    'signer.added': ({ signer }) => `Added the signer ${signer}.`,
    'document.attached': ({ document }) => `Attached the document ${document}.`,
    'link.mailed': ({ signer }) => `Mailed the signing link to ${signer}.`,
    'code.requested': () => 'Asked for a one-time code.',
    'code.accepted': () => 'Entered the right one-time code.',
    'code.refused': () => 'Entered a wrong one-time code.',
    'document.opened': () => 'Opened the documents.',
    'document.closed': ({ seconds }) => `Closed the documents${seconds === undefined ? '' : ` after ${duration(seconds)}`}.`,
    'signer.signed': ({ signature }) => `Signed. Signature ${signature}.`,
    'copy.mailed': ({ signer }) => `Mailed the way to the signed copy to ${signer}.`,
  },
  as: { credential: 'by API credential', person: 'in the settings panel', system: 'by itself' },
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
