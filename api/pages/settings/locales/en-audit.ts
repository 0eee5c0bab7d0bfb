// The audit trail in English: one sentence a step, made from who did it and what it was about.

interface AuditSubject {
  /** Who did it, as a name for people. */
  actor: string
  /** The signer it was about, where it was about one. */
  signer: string | undefined
  /** The document it was about, where it was about one. */
  document: string | undefined
}

export type AuditStep = (subject: AuditSubject) => string

const steps = {
  'envelope.created': ({ actor }) => `${actor} created the envelope.`,
  'envelope.deleted': ({ actor }) => `${actor} deleted the draft.`,
  'envelope.sent': ({ actor }) => `${actor} sent the envelope.`,
  'envelope.cancelled': ({ actor }) => `${actor} cancelled the envelope.`,
  'envelope.completed': () => 'Everyone had signed: the envelope was completed.',
  'envelope.expired': () => 'The time to sign ran out: the envelope expired.',
  'envelope.sealed': () => 'The documents were sealed.',
  'envelope.archived': () => 'The files were removed at the end of their retention time.',
  'legal_hold.set': ({ actor }) => `${actor} put the files under legal hold.`,
  'legal_hold.released': ({ actor }) => `${actor} released the files from legal hold.`,
  'signer.added': ({ actor, signer }) => (signer ? `${actor} added ${signer} as a signer.` : `${actor} added a signer.`),
  'document.attached': ({ actor, document }) => (document ? `${actor} attached “${document}”.` : `${actor} attached a document.`),
  'link.mailed': ({ signer }) => (signer ? `The signing link was mailed to ${signer}.` : 'The signing link was mailed.'),
  'code.requested': ({ actor }) => `${actor} asked for a one-time code.`,
  'code.accepted': ({ actor }) => `${actor} entered the right one-time code.`,
  'code.refused': ({ actor }) => `${actor} entered a wrong one-time code.`,
  'document.opened': ({ actor }) => `${actor} opened the documents.`,
  'document.closed': ({ actor }) => `${actor} stopped reading the documents.`,
  'signer.signed': ({ actor }) => `${actor} signed.`,
  'copy.mailed': ({ signer }) => (signer ? `The signed copy was mailed to ${signer}.` : 'The signed copy was mailed.'),
} satisfies Record<string, AuditStep>

export const enAudit = {
  steps,
  system: 'Sealwright',
  credential: (clientId: string) => `The credential ${clientId}`,
  person: (email: string) => email,
  from: (address: string) => `from ${address}`,
  intact: (rows: number) => (rows === 1 ? 'The 1 row is unchanged.' : `All ${rows} rows are unchanged and none is missing.`),
  brokenTitle: 'The audit trail has been tampered with',
  brokenBody: (row: number | undefined) =>
    `${row === undefined ? 'A row' : `Row ${row}`} was changed, moved or removed. Keep the database as it is and have it examined.`,
  emptyTitle: 'Nothing has been recorded yet',
}

export const enLegalHold = {
  title: 'Legal hold',
  hint: 'While it lasts, the documents stay beyond their retention time.',
  held: 'On hold',
  set: {
    action: 'Put on hold',
    question: 'Put the documents on hold?',
    body: 'They are kept until somebody releases them, even if their retention time ends before.',
    done: 'The documents are on hold',
  },
  release: {
    action: 'Release',
    question: 'Release the documents?',
    body: 'If their retention time is over, they are removed at once. That can’t be undone.',
    done: 'The documents are released',
  },
}
