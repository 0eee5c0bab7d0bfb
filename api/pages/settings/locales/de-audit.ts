// The audit trail in German.
import type { enAudit, enLegalHold } from './en-audit.ts'

const steps: typeof enAudit.steps = {
  'envelope.created': ({ actor }) => `${actor} hat den Umschlag angelegt.`,
  'envelope.deleted': ({ actor }) => `${actor} hat den Entwurf gelöscht.`,
  'envelope.sent': ({ actor }) => `${actor} hat den Umschlag versendet.`,
  'envelope.cancelled': ({ actor }) => `${actor} hat den Umschlag zurückgezogen.`,
  'envelope.completed': () => 'Alle haben unterschrieben: Der Umschlag wurde abgeschlossen.',
  'envelope.expired': () => 'Der Umschlag ist abgelaufen, bevor alle unterschrieben hatten.',
  'envelope.sealed': () => 'Die Dokumente wurden gesiegelt.',
  'envelope.archived': () => 'Die Dateien wurden am Ende ihrer Aufbewahrungsfrist gelöscht.',
  'legal_hold.set': ({ actor }) => `${actor} hat den Löschschutz für die Dokumente gesetzt.`,
  'legal_hold.released': ({ actor }) => `${actor} hat den Löschschutz aufgehoben.`,
  'signer.added': ({ actor, signer }) =>
    signer ? `${actor} hat ${signer} als Unterzeichner hinzugefügt.` : `${actor} hat einen Unterzeichner hinzugefügt.`,
  'document.attached': ({ actor, document }) =>
    document ? `${actor} hat „${document}“ angehängt.` : `${actor} hat ein Dokument angehängt.`,
  'link.mailed': ({ signer }) =>
    signer
      ? `Der Link zum Unterschreiben wurde per E-Mail an ${signer} gesendet.`
      : 'Der Link zum Unterschreiben wurde per E-Mail gesendet.',
  'code.requested': ({ actor }) => `${actor} hat einen Einmalcode angefordert.`,
  'code.accepted': ({ actor }) => `${actor} hat den richtigen Einmalcode eingegeben.`,
  'code.refused': ({ actor }) => `${actor} hat einen falschen Einmalcode eingegeben.`,
  'document.opened': ({ actor }) => `${actor} hat die Dokumente geöffnet.`,
  'document.closed': ({ actor }) => `${actor} hat die Dokumente geschlossen.`,
  'signer.signed': ({ actor }) => `${actor} hat unterschrieben.`,
  'copy.mailed': ({ signer }) =>
    signer
      ? `Ein Link zur gesiegelten Fassung wurde per E-Mail an ${signer} gesendet.`
      : 'Ein Link zur gesiegelten Fassung wurde per E-Mail gesendet.',
}

export const deAudit: typeof enAudit = {
  steps,
  system: 'Sealwright',
  credential: (clientId) => `Das System mit der Client-ID ${clientId}`,
  person: (email) => email,
  from: (address) => `von ${address}`,
  intact: (rows) =>
    rows === 1 ? 'Der einzige Eintrag ist unverändert.' : `Alle ${rows} Einträge sind unverändert, und keiner fehlt.`,
  brokenTitle: 'Das Prüfprotokoll wurde verändert',
  brokenBody: (row) =>
    `${row === undefined ? 'Ein Eintrag' : `Eintrag ${row}`} wurde geändert, verschoben oder entfernt. Verändern Sie die Datenbank nicht und lassen Sie sie untersuchen.`,
  emptyTitle: 'Noch keine Einträge',
}

export const deLegalHold: typeof enLegalHold = {
  title: 'Löschschutz',
  hint: 'Geschützte Dokumente werden über ihre Aufbewahrungsfrist hinaus aufbewahrt.',
  held: 'Geschützt',
  set: {
    action: 'Löschschutz setzen',
    question: 'Löschschutz setzen?',
    body: 'Die Dokumente werden aufbewahrt, bis der Schutz aufgehoben wird, auch nach dem Ende ihrer Aufbewahrungsfrist.',
    done: 'Löschschutz gesetzt',
  },
  release: {
    action: 'Löschschutz aufheben',
    question: 'Löschschutz aufheben?',
    body: 'Ist die Aufbewahrungsfrist vorbei, werden die Dokumente sofort gelöscht. Das lässt sich nicht rückgängig machen.',
    done: 'Löschschutz aufgehoben',
  },
}
