// Audit reports in German.
import type { ReportTexts } from './texts.ts'

const LANGUAGES: Record<string, string> = { en: 'Englisch', de: 'Deutsch' }

const documentsOf = (count: string) => (count === '1' ? '1 Dokument' : `${count} Dokumente`)
const signersOf = (count: string) => (count === '1' ? '1 Unterzeichner' : `${count} Unterzeichnern`)

export const de: ReportTexts = {
  title: 'Prüfprotokoll',
  intact: 'Das Prüfprotokoll ist unverändert',
  intactBody: (rows) =>
    rows === 1
      ? 'Der einzige Eintrag ist unverändert, seit ihn diese Installation geschrieben hat.'
      : `Alle ${rows} Einträge sind unverändert, seit sie diese Installation geschrieben hat, stehen in der ursprünglichen Reihenfolge, und keiner fehlt.`,
  broken: 'Das Prüfprotokoll wurde verändert',
  brokenBody: (seq) =>
    `Eintrag ${seq} wurde nachträglich geändert, verschoben oder entfernt. Dieser und alle späteren Einträge haben keine Beweiskraft.`,
  stages: {
    FINAL: (rows) =>
      `Dies ist das endgültige Protokoll. Es enthält alle Ereignisse bis Eintrag ${rows}; spätere, etwa versendete Kopien, stehen nur im laufenden Protokoll. Die Datei trägt ein elektronisches Siegel.`,
    DRAFT: () =>
      'Dies ist ein Entwurf ohne elektronisches Siegel. Das endgültige Protokoll wird erstellt und gesiegelt, wenn der Umschlag beendet ist; laden Sie es dann erneut herunter.',
    COPY: () =>
      'Dies ist eine Kopie ohne elektronisches Siegel. Das gesiegelte Protokoll wurde am Ende der Aufbewahrungsfrist zusammen mit den Dokumenten gelöscht.',
  },
  marks: { DRAFT: 'Entwurf: nicht endgültig', COPY: 'Kopie: nicht gesiegelt' },
  facts: {
    envelope: 'Umschlag',
    status: 'Status',
    workspace: 'Arbeitsbereich',
    created: 'Angelegt',
    requestedBy: 'Angefordert von',
    createdBy: 'Angelegt von',
    code: 'Einmalcode',
    codeRequired: 'per E-Mail, erforderlich',
    codeNotRequired: 'nicht erforderlich',
    order: 'Reihenfolge',
    inTurn: 'nacheinander',
    inAnyOrder: 'beliebig',
    entries: 'Einträge',
    ended: 'Beendet',
    expires: 'Läuft ab',
    never: 'nie',
  },
  envelopeStatus: {
    DRAFT: 'Entwurf',
    SENT: 'Versendet',
    IN_PROGRESS: 'In Arbeit',
    COMPLETED: 'Abgeschlossen',
    CANCELLED: 'Zurückgezogen',
    EXPIRED: 'Abgelaufen',
  },
  signers: {
    heading: 'Unterzeichner',
    order: 'Nr.',
    name: 'Name',
    identity: 'Identifizierung und Lesen',
    signed: 'Unterschrieben',
  },
  signerStatus: {
    PENDING: 'noch nicht versendet',
    SENT: 'versendet, noch nicht unterschrieben',
    VIEWED: 'angesehen, noch nicht unterschrieben',
    SIGNED: 'unterschrieben',
    EXPIRED: 'nicht unterschrieben, abgelaufen',
    CANCELLED: 'nicht unterschrieben, zurückgezogen',
  },
  evidence: {
    linkMailed: (time) => `Link zum Unterschreiben: per E-Mail gesendet ${time}`,
    linkNotMailed: 'Link zum Unterschreiben: keine E-Mail aufgezeichnet',
    codeEntered: (time) => `Einmalcode per E-Mail: eingegeben ${time}`,
    codeNotEntered: 'Einmalcode per E-Mail: nicht eingegeben',
    codeNotRequired: 'Einmalcode: nicht erforderlich',
    opened: (count, firstTime) =>
      count === 1 ? `Dokumente: einmal geöffnet, ${firstTime}` : `Dokumente: ${count}-mal geöffnet, zuerst ${firstTime}`,
    notOpened: 'Dokumente: nicht geöffnet',
    onScreen: (seconds) => `${duration(seconds)} auf dem Bildschirm, nach Angabe des Browsers`,
    pages: 'Aufgezeichnet sind das Öffnen und die Dauer, nicht aber, welche Seiten auf dem Bildschirm waren.',
  },
  signatures: {
    heading: 'Unterschriften',
    signed: (time) => `Unterschrieben ${time}`,
    id: (id) => `Signatur ${id}`,
    consent: (version, language) => `Zugestimmt (Fassung ${version}, ${LANGUAGES[language] ?? language})`,
    noConsent: 'Der Satz, dem zugestimmt wurde, ist nicht aufgezeichnet.',
    noPicture: 'Das Bild wurde zusammen mit den Dokumenten gelöscht.',
  },
  documents: {
    heading: 'Dokumente',
    file: 'Datei',
    uploaded: 'Wie hochgeladen',
    original: 'Original, wie hochgeladen',
    normalised: 'Original, nach dem Hochladen normalisiert',
    sealed: 'Gesiegelte Fassung',
    notSealed: 'Keine gesiegelte Fassung',
  },
  events: { heading: 'Ereignisse', number: 'Nr.', time: 'Zeit (UTC)', who: 'Wer', what: 'Aktion' },
  end: { heading: 'Letzter Hash', hash: (rows) => `SHA-256-Hash des letzten Eintrags, Nr. ${rows}:` },
  checks: {
    heading: 'So prüfen Sie das Protokoll',
    report:
      'Diese Datei. Ihr elektronisches Siegel deckt jedes Byte ab: Prüfen Sie es in einem PDF-Programm oder ohne Server mit: sealwright verify datei.pdf. Als Grund nennt die Signatur den letzten Eintrag oben und seinen Hash.',
    entries: (path) =>
      'Die Einträge. Jeder Eintrag ist mit dem vorherigen verkettet: Sein Hash ist der SHA-256 über den Text „sealwright audit v1“, ein Null-Byte, den vorherigen Hash (beim ersten Eintrag 32 Null-Bytes) und den Eintrag als kanonisches JSON (RFC 8785). ' +
      `Dasselbe Protokoll gibt es als JSON mit allen Hashes unter ${path}. Bewahren Sie den Hash oben auf, um später nachzuweisen, dass kein Eintrag geändert wurde.`,
    installation:
      'Die Installation. Zu jedem Hash gehört ein Authentifizierungscode mit einem Schlüssel, der nicht in der Datenbank liegt. Der Betreiber prüft alle mit: sealwright audit verify',
    documents: (verifyUrl) =>
      'Die Dokumente. Ihre Datei ist eine der obigen, wenn ihr SHA-256 übereinstimmt (sha256sum datei.pdf). Eine gesiegelte Fassung enthält ihre Signatur: ' +
      `Prüfen Sie sie in einem PDF-Programm, unter ${verifyUrl} oder ohne Server mit: sealwright verify datei.pdf. Als Grund nennt die Signatur den Eintrag, der den Umschlag abgeschlossen hat, und seinen Hash.`,
  },
  footer: (envelopeId, time) => `Prüfprotokoll des Umschlags ${envelopeId}, Stand ${time}`,
  page: (number, count) => `Seite ${number} von ${count}`,
  steps: {
    'envelope.created': ({ signers }) => `Hat den Umschlag mit ${signersOf(signers)} angelegt.`,
    'envelope.deleted': () => 'Hat den Entwurf gelöscht.',
    'envelope.sent': ({ signers, documents }) =>
      `Hat den Umschlag versendet: ${documentsOf(documents)} an ${signers} Unterzeichner.`,
    'envelope.cancelled': () => 'Hat den Umschlag zurückgezogen. Alle offenen Links zum Unterschreiben sind ungültig.',
    'envelope.completed': () => 'Alle haben unterschrieben: Der Umschlag wurde abgeschlossen.',
    'envelope.expired': () => 'Der Umschlag ist abgelaufen, bevor alle unterschrieben hatten.',
    'envelope.sealed': ({ documents }) => `Hat ${documentsOf(documents)} gesiegelt.`,
    'envelope.archived': () => 'Hat die Dateien am Ende ihrer Aufbewahrungsfrist gelöscht.',
    'legal_hold.set': () => 'Hat den Löschschutz für die Dokumente gesetzt.',
    'legal_hold.released': () => 'Hat den Löschschutz aufgehoben.',
    'signer.added': ({ signer }) => `Hat ${signer} als Unterzeichner hinzugefügt.`,
    'document.attached': ({ document }) => `Hat das Dokument ${document} angehängt.`,
    'link.mailed': ({ signer }) => `Hat den Link zum Unterschreiben per E-Mail an ${signer} gesendet.`,
    'code.requested': () => 'Hat einen Einmalcode angefordert.',
    'code.accepted': () => 'Hat den richtigen Einmalcode eingegeben.',
    'code.refused': () => 'Hat einen falschen Einmalcode eingegeben.',
    'document.opened': () => 'Hat die Dokumente geöffnet.',
    'document.closed': ({ seconds }) =>
      `Hat die Dokumente ${seconds === undefined ? '' : `nach ${duration(seconds)} `}geschlossen.`,
    'signer.signed': ({ signature }) => `Hat unterschrieben. Signatur ${signature}.`,
    'copy.mailed': ({ signer }) => `Hat einen Link zur gesiegelten Fassung per E-Mail an ${signer} gesendet.`,
  },
  as: { credential: 'API-Zugangsdaten', person: 'Einstellungen', system: 'System' },
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
