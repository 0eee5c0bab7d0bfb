// What people do in the settings, in both languages: one sentence a step. A step that the API may answer and that has none does not compile.
import type { Activity } from '../data/records.ts'

export type ActivityStep = (subject: { actor: string; subject: string | undefined }) => string

type Steps = Record<Activity['action'], ActivityStep>

const quoted = (name: string | undefined) => (name ? ` “${name}”` : '')

const enSteps: Steps = {
  'session.started': ({ actor }) => `${actor} signed in.`,
  'person.invited': ({ actor, subject }) => `${actor} invited ${subject ?? 'a person'}.`,
  'person.invited-again': ({ actor, subject }) => `${actor} sent ${subject ?? 'a person'} a new link.`,
  'person.updated': ({ actor, subject }) => `${actor} changed the name or role of ${subject ?? 'a person'}.`,
  'person.removed': ({ actor, subject }) => `${actor} removed ${subject ?? 'a person'}.`,
  'password.set': ({ actor }) => `${actor} chose a password.`,
  'credential.created': ({ actor, subject }) => `${actor} created the credential${quoted(subject)}.`,
  'credential.updated': ({ actor, subject }) => `${actor} changed the credential${quoted(subject)}.`,
  'credential.secret-rotated': ({ actor, subject }) => `${actor} made a new secret for the credential${quoted(subject)}.`,
  'credential.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} ended the previous secret of the credential${quoted(subject)}.`,
  'credential.revoked': ({ actor, subject }) => `${actor} revoked the credential${quoted(subject)}.`,
  'workspace.created': ({ actor, subject }) => `${actor} created the workspace${quoted(subject)}.`,
  'workspace.renamed': ({ actor, subject }) => `${actor} renamed a workspace to${quoted(subject)}.`,
  'workspace.deleted': ({ actor, subject }) => `${actor} deleted the workspace${quoted(subject)}.`,
  'workspace.members-set': ({ actor, subject }) => `${actor} changed who may do what in the workspace${quoted(subject)}.`,
  'organisation.created': ({ actor }) => `${actor} created the organisation.`,
  'organisation.updated': ({ actor }) => `${actor} changed the organisation.`,
  'work.retried': ({ actor }) => `${actor} retried failed jobs.`,
}

export const enActivity = {
  title: 'Activity',
  lead: 'What your organisation’s people did in these settings, and the operator of Sealwright by command line.',
  emptyTitle: 'Nothing has been done yet',
  operator: 'The operator (command line)',
  steps: enSteps,
}

const quotedInGerman = (name: string | undefined) => (name ? ` „${name}“` : '')

const deSteps: Steps = {
  'session.started': ({ actor }) => `${actor} hat sich angemeldet.`,
  'person.invited': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} eingeladen.`,
  'person.invited-again': ({ actor, subject }) => `${actor} hat einen neuen Link geschickt, an ${subject ?? 'eine Person'}.`,
  'person.updated': ({ actor, subject }) => `${actor} hat Name oder Rolle geändert, von ${subject ?? 'einer Person'}.`,
  'person.removed': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} entfernt.`,
  'password.set': ({ actor }) => `${actor} hat ein Passwort gewählt.`,
  'credential.created': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quotedInGerman(subject)} angelegt.`,
  'credential.updated': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quotedInGerman(subject)} geändert.`,
  'credential.secret-rotated': ({ actor, subject }) =>
    `${actor} hat das Geheimnis der Zugangsdaten${quotedInGerman(subject)} erneuert.`,
  'credential.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} hat das vorige Geheimnis der Zugangsdaten${quotedInGerman(subject)} beendet.`,
  'credential.revoked': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quotedInGerman(subject)} gesperrt.`,
  'workspace.created': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quotedInGerman(subject)} angelegt.`,
  'workspace.renamed': ({ actor, subject }) => `${actor} hat einen Arbeitsbereich umbenannt, in${quotedInGerman(subject)}.`,
  'workspace.deleted': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quotedInGerman(subject)} gelöscht.`,
  'workspace.members-set': ({ actor, subject }) =>
    `${actor} hat geändert, wer im Arbeitsbereich${quotedInGerman(subject)} was darf.`,
  'organisation.created': ({ actor }) => `${actor} hat die Organisation angelegt.`,
  'organisation.updated': ({ actor }) => `${actor} hat die Organisation geändert.`,
  'work.retried': ({ actor }) => `${actor} hat gescheiterte Aufträge erneut ausführen lassen.`,
}

export const deActivity: typeof enActivity = {
  title: 'Verlauf',
  lead: 'Was die Personen Ihrer Organisation in diesen Einstellungen getan haben, und der Betreiber von Sealwright über die Befehlszeile.',
  emptyTitle: 'Es wurde noch nichts getan',
  operator: 'Der Betreiber (Befehlszeile)',
  steps: deSteps,
}
