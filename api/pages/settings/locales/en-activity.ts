// The settings' activity log in English, one sentence per action.

export type ActivityStep = (subject: { actor: string; subject: string | undefined }) => string

const quoted = (name: string | undefined) => (name ? ` “${name}”` : '')

const steps: Record<string, ActivityStep> = {
  'session.started': ({ actor }) => `${actor} signed in.`,
  'person.invited': ({ actor, subject }) => `${actor} invited ${subject ?? 'a person'}.`,
  'person.invited-again': ({ actor, subject }) => `${actor} sent ${subject ?? 'a person'} a new link.`,
  'person.updated': ({ actor, subject }) => `${actor} changed the name or role of ${subject ?? 'a person'}.`,
  'person.removed': ({ actor, subject }) => `${actor} removed ${subject ?? 'a person'}.`,
  'password.set': ({ actor }) => `${actor} set a password.`,
  'credential.created': ({ actor, subject }) => `${actor} created the credential${quoted(subject)}.`,
  'credential.updated': ({ actor, subject }) => `${actor} changed the credential${quoted(subject)}.`,
  'credential.secret-rotated': ({ actor, subject }) => `${actor} rotated the secret of the credential${quoted(subject)}.`,
  'credential.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} revoked the previous secret of the credential${quoted(subject)}.`,
  'credential.revoked': ({ actor, subject }) => `${actor} revoked the credential${quoted(subject)}.`,
  'workspace.created': ({ actor, subject }) => `${actor} created the workspace${quoted(subject)}.`,
  'workspace.renamed': ({ actor, subject }) => `${actor} renamed a workspace to${quoted(subject)}.`,
  'workspace.deleted': ({ actor, subject }) => `${actor} deleted the workspace${quoted(subject)}.`,
  'workspace.members-set': ({ actor, subject }) => `${actor} changed the members of the workspace${quoted(subject)}.`,
  'organisation.created': ({ actor }) => `${actor} created the organisation.`,
  'organisation.updated': ({ actor }) => `${actor} changed the organisation.`,
  'work.retried': ({ actor }) => `${actor} retried failed jobs.`,
}

export const enActivity = {
  title: 'Activity',
  lead: 'Changes made by people in your organisation, and by the operator of Sealwright on the command line.',
  emptyTitle: 'No activity yet',
  operator: 'The operator (command line)',
  steps,
  other: (actor: string, action: string): string => `${actor}: ${action}`,
}
