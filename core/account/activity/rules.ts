// The names of acts in an organisation's activity.
export const ACTIVITIES = [
  'session.started',
  'person.invited',
  'person.invited-again',
  'person.updated',
  'person.removed',
  'password.set',
  'credential.created',
  'credential.updated',
  'credential.secret-rotated',
  'credential.previous-secret-revoked',
  'credential.revoked',
  'workspace.created',
  'workspace.renamed',
  'workspace.deleted',
  'workspace.members-set',
  'organisation.created',
  'organisation.updated',
  'work.retried',
] as const
export type Activity = (typeof ACTIVITIES)[number]
