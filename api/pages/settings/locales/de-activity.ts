// The settings' activity log in German.
import type { ActivityStep, enActivity } from './en-activity.ts'

const quoted = (name: string | undefined) => (name ? ` „${name}“` : '')

const steps: Record<string, ActivityStep> = {
  'session.started': ({ actor }) => `${actor} hat sich angemeldet.`,
  'person.invited': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} eingeladen.`,
  'person.invited-again': ({ actor, subject }) => `${actor} hat einen neuen Link an ${subject ?? 'eine Person'} gesendet.`,
  'person.updated': ({ actor, subject }) => `${actor} hat Name oder Rolle von ${subject ?? 'einer Person'} geändert.`,
  'person.removed': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} entfernt.`,
  'password.set': ({ actor }) => `${actor} hat ein Passwort festgelegt.`,
  'credential.created': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quoted(subject)} angelegt.`,
  'credential.updated': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quoted(subject)} geändert.`,
  'credential.secret-rotated': ({ actor, subject }) => `${actor} hat das Secret der Zugangsdaten${quoted(subject)} erneuert.`,
  'credential.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} hat das vorherige Secret der Zugangsdaten${quoted(subject)} gesperrt.`,
  'credential.revoked': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quoted(subject)} gesperrt.`,
  'workspace.created': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quoted(subject)} angelegt.`,
  'workspace.renamed': ({ actor, subject }) => `${actor} hat einen Arbeitsbereich in${quoted(subject)} umbenannt.`,
  'workspace.deleted': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quoted(subject)} gelöscht.`,
  'workspace.members-set': ({ actor, subject }) => `${actor} hat die Mitglieder des Arbeitsbereichs${quoted(subject)} geändert.`,
  'organisation.created': ({ actor }) => `${actor} hat die Organisation angelegt.`,
  'organisation.updated': ({ actor }) => `${actor} hat die Organisation geändert.`,
  'work.retried': ({ actor }) => `${actor} hat fehlgeschlagene Jobs erneut gestartet.`,
}

export const deActivity: typeof enActivity = {
  title: 'Verlauf',
  lead: 'Änderungen durch Personen Ihrer Organisation und durch den Betreiber von Sealwright über die Befehlszeile.',
  emptyTitle: 'Noch keine Aktivitäten',
  operator: 'Der Betreiber (Befehlszeile)',
  steps,
  other: (actor, action) => `${actor}: ${action}`,
}
