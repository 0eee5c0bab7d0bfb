// Audit reports in English.
import type { ReportTexts } from './texts.ts'

const LANGUAGES: Record<string, string> = { en: 'English', de: 'German' }

const counted = (count: string, noun: string) => `${count} ${noun}${count === '1' ? '' : 's'}`

export const en: ReportTexts = {
  title: 'Audit trail',
  intact: 'The audit trail is intact',
  intactBody: (rows) =>
    rows === 1
      ? 'Its only entry is unchanged since this installation wrote it.'
      : `All ${rows} entries are unchanged since this installation wrote them, in their original order, and none is missing.`,
  broken: 'The audit trail is not intact',
  brokenBody: (seq) =>
    `Entry ${seq} was changed, moved or removed after it was written. Do not rely on this entry or any later one.`,
  stages: {
    FINAL: (rows) =>
      `This is the final report. It holds every event up to entry ${rows}; later ones, such as emailed copies, are in the audit trail only. The file has an electronic seal.`,
    DRAFT: () =>
      'This is a draft without an electronic seal. The final report is made and sealed when the envelope has ended; download it again then.',
    COPY: () =>
      'This is a copy without an electronic seal. The sealed report was deleted together with the documents, at the end of their retention period.',
  },
  marks: { DRAFT: 'Draft: not final', COPY: 'Copy: not sealed' },
  facts: {
    envelope: 'Envelope',
    status: 'Status',
    workspace: 'Workspace',
    created: 'Created',
    requestedBy: 'Requested by',
    createdBy: 'Created by',
    code: 'Code by email',
    codeRequired: 'required',
    codeNotRequired: 'not required',
    order: 'Signing order',
    inTurn: 'one after another',
    inAnyOrder: 'any',
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
  signers: { heading: 'Signers', order: 'Order', name: 'Name', identity: 'Identification and reading', signed: 'Signed' },
  signerStatus: {
    PENDING: 'not sent yet',
    SENT: 'sent, not signed yet',
    VIEWED: 'viewed, not signed yet',
    SIGNED: 'signed',
    EXPIRED: 'not signed, expired',
    CANCELLED: 'not signed, cancelled',
  },
  evidence: {
    linkMailed: (time) => `Signing link: emailed ${time}`,
    linkNotMailed: 'Signing link: no email recorded',
    codeEntered: (time) => `One-time code by email: entered ${time}`,
    codeNotEntered: 'One-time code by email: not entered',
    codeNotRequired: 'One-time code: not required',
    opened: (count, firstTime) =>
      count === 1 ? `Documents: opened once, ${firstTime}` : `Documents: opened ${count} times, first ${firstTime}`,
    notOpened: 'Documents: not opened',
    onScreen: (seconds) => `On screen for ${duration(seconds)}, as the browser reported`,
    pages: 'Openings and their duration are recorded; which pages were on screen is not.',
  },
  signatures: {
    heading: 'Signatures',
    signed: (time) => `Signed ${time}`,
    id: (id) => `Signature ${id}`,
    consent: (version, language) => `Agreed to (version ${version}, ${LANGUAGES[language] ?? language})`,
    noConsent: 'The sentence that the signer agreed to is not recorded.',
    noPicture: 'The picture was deleted together with the documents.',
  },
  documents: {
    heading: 'Documents',
    file: 'File',
    uploaded: 'As uploaded',
    original: 'Original, as uploaded',
    normalised: 'Original, normalised after the upload',
    sealed: 'Sealed copy',
    notSealed: 'No sealed copy',
  },
  events: { heading: 'Events', number: 'No.', time: 'Time (UTC)', who: 'Who', what: 'Action' },
  end: { heading: 'Last hash', hash: (rows) => `SHA-256 hash of the last entry, no. ${rows}:` },
  checks: {
    heading: 'How to verify',
    report:
      'This report. Its electronic seal covers every byte: verify it in a PDF reader, or offline with: sealwright verify report.pdf. The signature’s reason names the last entry above, and its hash.',
    entries: (path) =>
      'The entries. Each entry is linked to the previous one: its hash is the SHA-256 of the text “sealwright audit v1”, a zero byte, the previous hash (32 zero bytes for the first entry) and the entry as canonical JSON (RFC 8785). ' +
      `The same audit trail is available as JSON with all hashes at ${path}. Keep the hash above to prove later that no entry has changed.`,
    installation:
      'The installation. Each hash also has an authentication code, made with a key that is not stored in the database. The operator verifies all of them with: sealwright audit verify',
    documents: (verifyUrl) =>
      'The documents. Your file is one of those above if its SHA-256 is the same (sha256sum file.pdf). A sealed copy contains its signature: ' +
      `verify it in a PDF reader, at ${verifyUrl}, or offline with: sealwright verify file.pdf. The signature’s reason names the entry that completed the envelope, and its hash.`,
  },
  footer: (envelopeId, time) => `Audit trail of envelope ${envelopeId}, as of ${time}`,
  page: (number, count) => `Page ${number} of ${count}`,
  steps: {
    'envelope.created': ({ signers }) => `Created the envelope with ${counted(signers, 'signer')}.`,
    'envelope.deleted': () => 'Deleted the draft.',
    'envelope.sent': ({ signers, documents }) =>
      `Sent the envelope: ${counted(documents, 'document')} to ${counted(signers, 'signer')}.`,
    'envelope.cancelled': () => 'Cancelled the envelope. All open signing links are no longer valid.',
    'envelope.completed': () => 'Everyone has signed: the envelope was completed.',
    'envelope.expired': () => 'The envelope expired before everyone had signed.',
    'envelope.sealed': ({ documents }) => `Sealed ${counted(documents, 'document')}.`,
    'envelope.archived': () => 'Deleted the files at the end of their retention period.',
    'legal_hold.set': () => 'Placed the documents on legal hold.',
    'legal_hold.released': () => 'Released the legal hold.',
    'signer.added': ({ signer }) => `Added the signer ${signer}.`,
    'document.attached': ({ document }) => `Attached the document ${document}.`,
    'link.mailed': ({ signer }) => `Emailed the signing link to ${signer}.`,
    'code.requested': () => 'Requested a one-time code.',
    'code.accepted': () => 'Entered the correct one-time code.',
    'code.refused': () => 'Entered an incorrect one-time code.',
    'document.opened': () => 'Opened the documents.',
    'document.closed': ({ seconds }) => `Closed the documents${seconds === undefined ? '' : ` after ${duration(seconds)}`}.`,
    'signer.signed': ({ signature }) => `Signed. Signature ${signature}.`,
    'copy.mailed': ({ signer }) => `Emailed a link to the signed copy to ${signer}.`,
  },
  as: { credential: 'API credential', person: 'Settings', system: 'System' },
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
