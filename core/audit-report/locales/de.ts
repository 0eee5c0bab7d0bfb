// Audit reports in German.
import type { ReportTexts } from './texts.ts'

const documentsOf = (count: string) => (count === '1' ? '1 Dokument' : `${count} Dokumente`)
const signersOf = (count: string) => (count === '1' ? '1 Unterzeichner' : `${count} Unterzeichnern`)

export const de: ReportTexts = {
  title: 'Prüfprotokoll',
  intact: 'Das Protokoll ist unverändert',
  intactBody: (rows) =>
    rows === 1
      ? 'Sein einziger Eintrag ist so, wie ihn diese Installation geschrieben hat.'
      : `Seine ${rows} Einträge sind so, wie sie diese Installation geschrieben hat, jeder an seinem Platz, und keiner fehlt.`,
  broken: 'Das Protokoll wurde verändert',
  brokenBody: (seq) =>
    `Eintrag ${seq} wurde geändert, verschoben oder entfernt, nachdem er geschrieben war. Was von dort an steht, beweist nichts.`,
  facts: {
    envelope: 'Umschlag',
    status: 'Status',
    workspace: 'Arbeitsbereich',
    created: 'Angelegt',
    organisation: 'Organisation',
    createdBy: 'Angelegt von',
    entries: 'Einträge',
    ended: 'Beendet',
    expires: 'Verfällt',
    never: 'nie',
  },
  envelopeStatus: {
    DRAFT: 'Entwurf',
    SENT: 'Verschickt',
    IN_PROGRESS: 'In Arbeit',
    COMPLETED: 'Abgeschlossen',
    CANCELLED: 'Zurückgezogen',
    EXPIRED: 'Verfallen',
  },
  signers: { heading: 'Unterzeichner', order: 'Folge', name: 'Name', email: 'E-Mail', signed: 'Unterschrieben' },
  signerStatus: {
    PENDING: 'noch nicht gefragt',
    SENT: 'gefragt, noch nicht unterschrieben',
    VIEWED: 'gelesen, noch nicht unterschrieben',
    SIGNED: 'unterschrieben',
    EXPIRED: 'nicht rechtzeitig unterschrieben',
    CANCELLED: 'nicht unterschrieben, zurückgezogen',
  },
  documents: {
    heading: 'Dokumente',
    file: 'Datei',
    original: 'Original, wie es hochgeladen wurde',
    sealed: 'Gesiegelte Fassung',
    notSealed: 'Keine gesiegelte Fassung',
  },
  events: { heading: 'Was geschah', number: 'Nr.', time: 'Zeit (UTC)', who: 'Wer', what: 'Was' },
  end: { heading: 'Womit das Protokoll endet', hash: (rows) => `Der Hash des letzten Eintrags, Nr. ${rows} (SHA-256):` },
  checks: {
    heading: 'Wie es sich prüfen lässt',
    entries: (path) =>
      'Die Einträge. Jeder ist an den vorigen gebunden: Sein Hash ist der SHA-256 über den Text „sealwright audit v1“, ein Null-Byte, den Hash davor (vor dem ersten 32 Null-Bytes) und den Eintrag als JSON in der einen Form von RFC 8785. ' +
      `Dasselbe Protokoll steht als JSON mit allen Hashes unter ${path}. Wer den Hash oben aufbewahrt, kann jederzeit feststellen, dass davor nichts geändert wurde.`,
    installation:
      'Die Installation. Zu jedem Hash gehört ein Code unter einem Schlüssel, den die Datenbank nicht hat. Ein Betreiber prüft sie alle mit: sealwright audit verify',
    documents: (verifyUrl) =>
      'Die Dokumente. Eine Datei in Ihrer Hand ist eine der obigen, wenn ihr SHA-256 derselbe ist (sha256sum datei.pdf). Eine gesiegelte Fassung trägt ihre Signatur in sich: ' +
      `PDF-Programme prüfen sie, ebenso ${verifyUrl}, und ohne jeden Server: sealwright verify datei.pdf. Als Grund nennt diese Signatur den Eintrag, mit dem das Unterschreiben endete, und seinen Hash.`,
  },
  footer: (envelopeId, time) => `Prüfprotokoll des Umschlags ${envelopeId}, Stand ${time}`,
  page: (number, count) => `Seite ${number} von ${count}`,
  steps: {
    'envelope.created': ({ signers }) => `Hat den Umschlag mit ${signersOf(signers)} angelegt.`,
    'envelope.deleted': () => 'Hat den Entwurf gelöscht.',
    'envelope.sent': ({ signers, documents }) =>
      `Hat den Umschlag verschickt: ${documentsOf(documents)} an ${signers} Unterzeichner.`,
    'envelope.cancelled': () => 'Hat den Umschlag zurückgezogen; alle offenen Links zum Unterschreiben endeten.',
    'envelope.completed': () => 'Alle hatten unterschrieben: Der Umschlag wurde abgeschlossen.',
    'envelope.expired': () => 'Die Frist war vorbei: Der Umschlag verfiel.',
    'envelope.sealed': ({ documents }) => `Hat ${documentsOf(documents)} gesiegelt.`,
    'envelope.archived': () => 'Hat die Dateien am Ende ihrer Aufbewahrungsfrist entfernt.',
    'legal_hold.set': () => 'Hat die Dateien vor dem Löschen geschützt.',
    'legal_hold.released': () => 'Hat den Löschschutz der Dateien aufgehoben.',
    'signer.added': ({ signer }) => `Hat als Unterzeichner hinzugefügt: ${signer}.`,
    'document.attached': ({ document }) => `Hat das Dokument ${document} angehängt.`,
    'link.mailed': ({ signer }) => `Hat den Link zum Unterschreiben per E-Mail geschickt an ${signer}.`,
    'code.requested': () => 'Hat einen Einmalcode angefordert.',
    'code.accepted': () => 'Hat den richtigen Einmalcode eingegeben.',
    'code.refused': () => 'Hat einen falschen Einmalcode eingegeben.',
    'document.opened': () => 'Hat die Dokumente geöffnet.',
    'document.closed': ({ seconds }) =>
      `Hat die Dokumente ${seconds === undefined ? '' : `nach ${duration(seconds)} `}geschlossen.`,
    'signer.signed': ({ signature }) => `Hat unterschrieben. Signatur ${signature}.`,
    'copy.mailed': ({ signer }) => `Hat den Weg zur gesiegelten Fassung per E-Mail geschickt an ${signer}.`,
  },
  as: { credential: 'mit API-Zugangsdaten', person: 'in den Einstellungen', system: 'von selbst' },
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
