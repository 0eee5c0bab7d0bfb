// The audit trail in English, one sentence per entry.

interface AuditSubject {
  /** Who performed the action, as a display name. */
  actor: string
  /** The signer that the entry concerns, if any. */
  signer: string | undefined
  /** The document that the entry concerns, if any. */
  document: string | undefined
}

export type AuditStep = (subject: AuditSubject) => string

const steps = {
  'envelope.created': ({ actor }) => `${actor} created the envelope.`,
  'envelope.deleted': ({ actor }) => `${actor} deleted the draft.`,
  'envelope.sent': ({ actor }) => `${actor} sent the envelope.`,
  'envelope.cancelled': ({ actor }) => `${actor} cancelled the envelope.`,
  'envelope.completed': () => 'Everyone has signed: the envelope was completed.',
  'envelope.expired': () => 'The envelope expired before everyone had signed.',
  'envelope.sealed': () => 'The documents were sealed.',
  'envelope.archived': () => 'The files were deleted at the end of their retention period.',
  'legal_hold.set': ({ actor }) => `${actor} placed the documents on legal hold.`,
  'legal_hold.released': ({ actor }) => `${actor} released the legal hold.`,
  'signer.added': ({ actor, signer }) => (signer ? `${actor} added ${signer} as a signer.` : `${actor} added a signer.`),
  'document.attached': ({ actor, document }) => (document ? `${actor} attached “${document}”.` : `${actor} attached a document.`),
  'link.mailed': ({ signer }) => (signer ? `The signing link was emailed to ${signer}.` : 'The signing link was emailed.'),
  'code.requested': ({ actor }) => `${actor} requested a one-time code.`,
  'code.accepted': ({ actor }) => `${actor} entered the correct one-time code.`,
  'code.refused': ({ actor }) => `${actor} entered an incorrect one-time code.`,
  'document.opened': ({ actor }) => `${actor} opened the documents.`,
  'document.closed': ({ actor }) => `${actor} closed the documents.`,
  'signer.signed': ({ actor }) => `${actor} signed.`,
  'copy.mailed': ({ signer }) =>
    signer ? `A link to the signed copy was emailed to ${signer}.` : 'A link to the signed copy was emailed.',
} satisfies Record<string, AuditStep>

export const enAudit = {
  steps,
  system: 'Sealwright',
  credential: (clientId: string) => `The credential ${clientId}`,
  person: (email: string) => email,
  from: (address: string) => `from ${address}`,
  intact: (rows: number) =>
    rows === 1 ? 'The only entry is unchanged.' : `All ${rows} entries are unchanged and none is missing.`,
  brokenTitle: 'The audit trail has been tampered with',
  brokenBody: (row: number | undefined) =>
    `${row === undefined ? 'An entry' : `Entry ${row}`} was changed, moved or removed. Leave the database as it is and have it examined.`,
  emptyTitle: 'No entries yet',
}

export const enLegalHold = {
  title: 'Legal hold',
  hint: 'Documents on hold are kept beyond their retention period.',
  held: 'On hold',
  set: {
    action: 'Place on hold',
    question: 'Place the documents on hold?',
    body: 'They are kept until the hold is released, even after their retention period ends.',
    done: 'Documents placed on hold',
  },
  release: {
    action: 'Release hold',
    question: 'Release the hold?',
    body: 'If the retention period is over, the documents are deleted immediately. This can’t be undone.',
    done: 'Hold released',
  },
}
