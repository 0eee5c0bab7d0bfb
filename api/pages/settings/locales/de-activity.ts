// What people do in the settings, in German.
import type { ActivityStep, enActivity } from './en-activity.ts'

const quoted = (name: string | undefined) => (name ? ` „${name}“` : '')

const steps: Record<string, ActivityStep> = {
  'session.started': ({ actor }) => `${actor} hat sich angemeldet.`,
  'person.invited': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} eingeladen.`,
  'person.invited-again': ({ actor, subject }) => `${actor} hat einen neuen Link geschickt, an ${subject ?? 'eine Person'}.`,
  'person.updated': ({ actor, subject }) => `${actor} hat Name oder Rolle geändert, von ${subject ?? 'einer Person'}.`,
  'person.removed': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} entfernt.`,
  'password.set': ({ actor }) => `${actor} hat ein Passwort gewählt.`,
  'credential.created': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quoted(subject)} angelegt.`,
  'credential.updated': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quoted(subject)} geändert.`,
  'credential.secret-rotated': ({ actor, subject }) => `${actor} hat das Geheimnis der Zugangsdaten${quoted(subject)} erneuert.`,
  'credential.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} hat das vorige Geheimnis der Zugangsdaten${quoted(subject)} beendet.`,
  'credential.revoked': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quoted(subject)} gesperrt.`,
  'workspace.created': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quoted(subject)} angelegt.`,
  'workspace.renamed': ({ actor, subject }) => `${actor} hat einen Arbeitsbereich umbenannt, in${quoted(subject)}.`,
  'workspace.deleted': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quoted(subject)} gelöscht.`,
  'workspace.members-set': ({ actor, subject }) => `${actor} hat geändert, wer im Arbeitsbereich${quoted(subject)} was darf.`,
  'organisation.created': ({ actor }) => `${actor} hat die Organisation angelegt.`,
  'organisation.updated': ({ actor }) => `${actor} hat die Organisation geändert.`,
  'work.retried': ({ actor }) => `${actor} hat gescheiterte Aufträge erneut ausführen lassen.`,
}

export const deActivity: typeof enActivity = {
  title: 'Verlauf',
  lead: 'Was die Personen Ihrer Organisation in diesen Einstellungen getan haben, und der Betreiber von Sealwright über die Befehlszeile.',
  emptyTitle: 'Es wurde noch nichts getan',
  operator: 'Der Betreiber (Befehlszeile)',
  steps,
  other: (actor, action) => `${actor}: ${action}`,
}
