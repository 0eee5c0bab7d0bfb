// The audit trail in German.
import type { enAudit, enLegalHold } from './en-audit.ts'

const steps: typeof enAudit.steps = {
  'envelope.created': ({ actor }) => `${actor} hat den Umschlag angelegt.`,
  'envelope.deleted': ({ actor }) => `${actor} hat den Entwurf gelöscht.`,
  'envelope.sent': ({ actor }) => `${actor} hat den Umschlag verschickt.`,
  'envelope.cancelled': ({ actor }) => `${actor} hat den Umschlag zurückgezogen.`,
  'envelope.completed': () => 'Alle haben unterschrieben: Der Umschlag ist abgeschlossen.',
  'envelope.expired': () => 'Die Frist ist abgelaufen: Der Umschlag ist verfallen.',
  'envelope.sealed': () => 'Die Dokumente wurden gesiegelt.',
  'envelope.archived': () => 'Die Dateien wurden am Ende ihrer Aufbewahrungsfrist entfernt.',
  'legal_hold.set': ({ actor }) => `${actor} hat die Dateien vor dem Löschen geschützt.`,
  'legal_hold.released': ({ actor }) => `${actor} hat den Löschschutz der Dateien aufgehoben.`,
  'signer.added': ({ actor, signer }) =>
    signer ? `${actor} hat ${signer} als Unterzeichner hinzugefügt.` : `${actor} hat einen Unterzeichner hinzugefügt.`,
  'document.attached': ({ actor, document }) =>
    document ? `${actor} hat „${document}“ angehängt.` : `${actor} hat ein Dokument angehängt.`,
  'link.mailed': ({ signer }) =>
    signer ? `Der Link zum Unterschreiben ging per E-Mail an ${signer}.` : 'Der Link zum Unterschreiben ging per E-Mail hinaus.',
  'code.requested': ({ actor }) => `${actor} hat einen Einmalcode angefordert.`,
  'code.accepted': ({ actor }) => `${actor} hat den richtigen Einmalcode eingegeben.`,
  'code.refused': ({ actor }) => `${actor} hat einen falschen Einmalcode eingegeben.`,
  'document.opened': ({ actor }) => `${actor} hat die Dokumente geöffnet.`,
  'document.closed': ({ actor }) => `${actor} hat aufgehört, die Dokumente zu lesen.`,
  'signer.signed': ({ actor }) => `${actor} hat unterschrieben.`,
  'copy.mailed': ({ signer }) =>
    signer ? `Die gesiegelte Fassung ging per E-Mail an ${signer}.` : 'Die gesiegelte Fassung ging per E-Mail hinaus.',
}

export const deAudit: typeof enAudit = {
  steps,
  system: 'Sealwright',
  credential: (clientId) => `Das System mit der Client-ID ${clientId}`,
  person: (email) => email,
  from: (address) => `von ${address}`,
  intact: (rows) => (rows === 1 ? 'Die eine Zeile ist unverändert.' : `Alle ${rows} Zeilen sind unverändert, und keine fehlt.`),
  brokenTitle: 'Das Prüfprotokoll wurde verändert',
  brokenBody: (row) =>
    `${row === undefined ? 'Eine Zeile' : `Zeile ${row}`} wurde geändert, verschoben oder entfernt. Lassen Sie die Datenbank, wie sie ist, und lassen Sie sie untersuchen.`,
  emptyTitle: 'Es ist noch nichts verzeichnet',
}

export const deLegalHold: typeof enLegalHold = {
  title: 'Löschschutz',
  hint: 'Solange er gilt, bleiben die Dokumente über ihre Aufbewahrungsfrist hinaus.',
  held: 'Geschützt',
  set: {
    action: 'Vor dem Löschen schützen',
    question: 'Die Dokumente schützen?',
    body: 'Sie bleiben, bis jemand den Schutz aufhebt, auch wenn ihre Aufbewahrungsfrist vorher endet.',
    done: 'Die Dokumente sind geschützt',
  },
  release: {
    action: 'Schutz aufheben',
    question: 'Den Löschschutz aufheben?',
    body: 'Ist die Aufbewahrungsfrist vorbei, werden die Dokumente sofort entfernt. Das lässt sich nicht rückgängig machen.',
    done: 'Der Löschschutz ist aufgehoben',
  },
}
