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
  'password.set': ({ actor }) => `${actor} set a password.`,
  'factor.set-up': ({ actor }) => `${actor} set up a second factor.`,
  'factor.removed': ({ actor }) => `${actor} removed their second factor.`,
  'factor.reset': ({ actor, subject }) => `${actor} reset the second factor of ${subject ?? 'a person'}.`,
  'factor.recovery-code-used': ({ actor }) => `${actor} used a recovery code.`,
  'factor.recovery-codes-renewed': ({ actor }) => `${actor} got new recovery codes.`,
  'credential.created': ({ actor, subject }) => `${actor} created the credential${quoted(subject)}.`,
  'credential.updated': ({ actor, subject }) => `${actor} changed the credential${quoted(subject)}.`,
  'credential.secret-rotated': ({ actor, subject }) => `${actor} rotated the secret of the credential${quoted(subject)}.`,
  'credential.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} revoked the previous secret of the credential${quoted(subject)}.`,
  'credential.revoked': ({ actor, subject }) => `${actor} revoked the credential${quoted(subject)}.`,
  'webhook.created': ({ actor, subject }) => `${actor} created the webhook${quoted(subject)}.`,
  'webhook.updated': ({ actor, subject }) => `${actor} changed the webhook${quoted(subject)}.`,
  'webhook.enabled': ({ actor, subject }) => `${actor} enabled the webhook${quoted(subject)}.`,
  'webhook.disabled': ({ actor, subject }) => `${actor} disabled the webhook${quoted(subject)}.`,
  'webhook.suspended': ({ actor, subject }) => `${actor} suspended the webhook${quoted(subject)}.`,
  'webhook.resumed': ({ actor, subject }) => `${actor} ended the suspension of the webhook${quoted(subject)}.`,
  'webhook.adopted': ({ actor, subject }) => `${actor} took over the webhook${quoted(subject)} with a new object.`,
  'webhook.deleted': ({ actor, subject }) => `${actor} deleted the webhook${quoted(subject)}.`,
  'webhook.secret-rotated': ({ actor, subject }) => `${actor} rotated the secret of the webhook${quoted(subject)}.`,
  'webhook.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} revoked the previous secret of the webhook${quoted(subject)}.`,
  'webhook.secret-revealed': ({ actor, subject }) => `${actor} revealed the secret of the webhook${quoted(subject)}.`,
  'webhook.tested': ({ actor, subject }) => `${actor} sent a test event to the webhook${quoted(subject)}.`,
  'webhook.probed': ({ actor, subject }) => `${actor} had the webhook${quoted(subject)} probed.`,
  'webhook.delivery-replayed': ({ actor, subject }) => `${actor} sent an event to the webhook${quoted(subject)} again.`,
  'webhook.deliveries-replayed': ({ actor, subject }) =>
    `${actor} sent all events to the webhook${quoted(subject)} again that had failed.`,
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
  lead: 'Changes made by people in your organisation, by the operator of Sealwright on the command line, and in Kubernetes.',
  emptyTitle: 'No activity yet',
  operator: 'The operator (command line)',
  kubernetes: 'Kubernetes',
  kubernetesObject: (object: string) => `Kubernetes (${object})`,
  steps: enSteps,
}

const quotedInGerman = (name: string | undefined) => (name ? ` „${name}“` : '')

const deSteps: Steps = {
  'session.started': ({ actor }) => `${actor} hat sich angemeldet.`,
  'person.invited': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} eingeladen.`,
  'person.invited-again': ({ actor, subject }) => `${actor} hat einen neuen Link an ${subject ?? 'eine Person'} gesendet.`,
  'person.updated': ({ actor, subject }) => `${actor} hat Name oder Rolle von ${subject ?? 'einer Person'} geändert.`,
  'person.removed': ({ actor, subject }) => `${actor} hat ${subject ?? 'eine Person'} entfernt.`,
  'password.set': ({ actor }) => `${actor} hat ein Passwort festgelegt.`,
  'factor.set-up': ({ actor }) => `${actor} hat einen zweiten Faktor eingerichtet.`,
  'factor.removed': ({ actor }) => `${actor} hat den eigenen zweiten Faktor entfernt.`,
  'factor.reset': ({ actor, subject }) => `${actor} hat den zweiten Faktor von ${subject ?? 'einer Person'} zurückgesetzt.`,
  'factor.recovery-code-used': ({ actor }) => `${actor} hat einen Wiederherstellungscode verwendet.`,
  'factor.recovery-codes-renewed': ({ actor }) => `${actor} hat neue Wiederherstellungscodes erhalten.`,
  'credential.created': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quotedInGerman(subject)} angelegt.`,
  'credential.updated': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quotedInGerman(subject)} geändert.`,
  'credential.secret-rotated': ({ actor, subject }) =>
    `${actor} hat das Secret der Zugangsdaten${quotedInGerman(subject)} erneuert.`,
  'credential.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} hat das vorherige Secret der Zugangsdaten${quotedInGerman(subject)} gesperrt.`,
  'credential.revoked': ({ actor, subject }) => `${actor} hat die Zugangsdaten${quotedInGerman(subject)} gesperrt.`,
  'webhook.created': ({ actor, subject }) => `${actor} hat den Webhook${quotedInGerman(subject)} angelegt.`,
  'webhook.updated': ({ actor, subject }) => `${actor} hat den Webhook${quotedInGerman(subject)} geändert.`,
  'webhook.enabled': ({ actor, subject }) => `${actor} hat den Webhook${quotedInGerman(subject)} aktiviert.`,
  'webhook.disabled': ({ actor, subject }) => `${actor} hat den Webhook${quotedInGerman(subject)} deaktiviert.`,
  'webhook.suspended': ({ actor, subject }) => `${actor} hat den Webhook${quotedInGerman(subject)} ausgesetzt.`,
  'webhook.resumed': ({ actor, subject }) => `${actor} hat die Aussetzung des Webhooks${quotedInGerman(subject)} beendet.`,
  'webhook.adopted': ({ actor, subject }) =>
    `${actor} hat den Webhook${quotedInGerman(subject)} mit einem neuen Objekt übernommen.`,
  'webhook.deleted': ({ actor, subject }) => `${actor} hat den Webhook${quotedInGerman(subject)} gelöscht.`,
  'webhook.secret-rotated': ({ actor, subject }) => `${actor} hat das Secret des Webhooks${quotedInGerman(subject)} erneuert.`,
  'webhook.previous-secret-revoked': ({ actor, subject }) =>
    `${actor} hat das vorherige Secret des Webhooks${quotedInGerman(subject)} gesperrt.`,
  'webhook.secret-revealed': ({ actor, subject }) => `${actor} hat das Secret des Webhooks${quotedInGerman(subject)} angezeigt.`,
  'webhook.tested': ({ actor, subject }) => `${actor} hat ein Testereignis an den Webhook${quotedInGerman(subject)} gesendet.`,
  'webhook.probed': ({ actor, subject }) => `${actor} hat eine Probe des Webhooks${quotedInGerman(subject)} ausgelöst.`,
  'webhook.delivery-replayed': ({ actor, subject }) =>
    `${actor} hat ein Ereignis erneut an den Webhook${quotedInGerman(subject)} gesendet.`,
  'webhook.deliveries-replayed': ({ actor, subject }) =>
    `${actor} hat alle fehlgeschlagenen Ereignisse erneut an den Webhook${quotedInGerman(subject)} gesendet.`,
  'workspace.created': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quotedInGerman(subject)} angelegt.`,
  'workspace.renamed': ({ actor, subject }) => `${actor} hat einen Arbeitsbereich in${quotedInGerman(subject)} umbenannt.`,
  'workspace.deleted': ({ actor, subject }) => `${actor} hat den Arbeitsbereich${quotedInGerman(subject)} gelöscht.`,
  'workspace.members-set': ({ actor, subject }) =>
    `${actor} hat die Mitglieder des Arbeitsbereichs${quotedInGerman(subject)} geändert.`,
  'organisation.created': ({ actor }) => `${actor} hat die Organisation angelegt.`,
  'organisation.updated': ({ actor }) => `${actor} hat die Organisation geändert.`,
  'work.retried': ({ actor }) => `${actor} hat fehlgeschlagene Jobs erneut gestartet.`,
}

export const deActivity: typeof enActivity = {
  title: 'Verlauf',
  lead: 'Änderungen durch Personen Ihrer Organisation, durch den Betreiber von Sealwright über die Befehlszeile und in Kubernetes.',
  emptyTitle: 'Noch keine Aktivitäten',
  operator: 'Der Betreiber (Befehlszeile)',
  kubernetes: 'Kubernetes',
  kubernetesObject: (object) => `Kubernetes (${object})`,
  steps: deSteps,
}
