// German.
import type { Texts } from './en.ts'
import { deFailures } from './failures.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? `${count} ${one}` : `${count} ${many}`)

const signLabel = (count: number) => (count === 1 ? 'Dokument unterschreiben' : `${count} Dokumente unterschreiben`)

export const de: Texts = {
  shared: {
    product: 'Sealwright',
    loading: 'Wird geladen …',
    tryAgain: 'Erneut versuchen',
    tryAgainIn: (time) => `Erneut versuchen in ${time}`,
    cancel: 'Abbrechen',
    fromService: 'Meldung des Dienstes',
    verifyLink: 'Signiertes Dokument prüfen',
  },
  failure: deFailures,
  closed: {
    link: {
      title: 'Dieser Link ist nicht gültig',
      body: 'Er ist vielleicht abgelaufen, zurückgezogen oder durch einen neueren ersetzt, oder zuerst muss jemand anderes unterschreiben.',
      advice:
        'Prüfen Sie, ob Sie die neueste E-Mail und den vollständigen Link geöffnet haben. Sonst fragen Sie bitte den Absender.',
    },
    envelope: {
      title: 'Die Unterzeichnung ist beendet',
      body: 'Die Dokumente wurden zurückgezogen, oder die Frist lief ab, bevor alle unterschrieben hatten.',
      advice: 'Sie müssen nichts mehr tun. Der Absender kann Ihnen mehr dazu sagen.',
    },
    turn: {
      title: 'Sie sind noch nicht an der Reihe',
      body: 'Vor Ihnen unterschreibt jemand anderes.',
      advice: 'Sie bekommen eine E-Mail, sobald Sie an der Reihe sind.',
    },
  },
  unreachable: { title: 'Die Seite konnte nicht geladen werden' },
  code: {
    title: 'Bestätigen Sie zuerst, dass Sie es sind',
    eyebrow: 'Sie werden um Ihre Unterschrift gebeten',
    intro: (name) => `${name}, wir schicken einen sechsstelligen Code an Ihre E-Mail-Adresse:`,
    send: 'Code senden',
    sendAgain: 'Neuen Code senden',
    sendAgainIn: (time) => `Neuen Code senden in ${time}`,
    sent: (email) =>
      `Wir haben einen Code an ${email} geschickt. Er kann eine Minute brauchen; sehen Sie auch im Spam-Ordner nach.`,
    sentEarlier: (email) => `An ${email} ging eben erst ein Code. Bitte benutzen Sie diesen.`,
    unusable: 'Der letzte Code kann nicht mehr benutzt werden. Bitte fordern Sie einen neuen an.',
    expired: 'Der Code ist abgelaufen. Bitte fordern Sie einen neuen an.',
    expiresIn: (time) => `Gültig noch ${time}`,
    label: 'Sechsstelliger Code',
    incomplete: 'Der Code hat sechs Ziffern.',
    confirm: 'Bestätigen',
    wrongTitle: 'Der Code wurde nicht angenommen',
    permissionLost:
      'Zu Ihrer Sicherheit gilt eine Bestätigung 30 Minuten. Bitte bestätigen Sie noch einmal; alles Bisherige bleibt erhalten.',
  },
  documents: {
    eyebrow: 'Bitte lesen und unterschreiben',
    signingAs: 'Sie unterschreiben als',
    listTitle: (count) => plural(count, 'Dokument', 'Dokumente'),
    opened: 'geöffnet',
    notOpened: 'noch nicht geöffnet',
    nextDocument: 'Nächstes Dokument',
    sign: 'Unterschreiben',
    progress: (opened, total) =>
      total === 1
        ? 'Bitte lesen Sie das Dokument, bevor Sie unterschreiben.'
        : `${opened} von ${total} Dokumenten geöffnet. Bitte öffnen Sie jedes, bevor Sie unterschreiben.`,
    ready: (total) =>
      total === 1 ? 'Sie können jetzt unterschreiben.' : 'Sie haben alle Dokumente geöffnet und können jetzt unterschreiben.',
    shown: (position, total, filename) => `Dokument ${position} von ${total}: ${filename}`,
    personal: (name) => `Dieser Link ist nur für ${name} bestimmt. Sind Sie jemand anderes, schließen Sie bitte diese Seite.`,
  },
  reader: {
    toolbar: 'Anzeige',
    pageLabel: (page, total) => `Seite ${page} von ${total}`,
    pagePosition: (page, total) => `Seite ${page} von ${total}`,
    pageFailed: (page) => `Seite ${page} kann hier nicht angezeigt werden. Bitte laden Sie das Dokument zum Lesen herunter.`,
    loading: 'Das Dokument wird geöffnet …',
    failedTitle: 'Das Dokument kann nicht angezeigt werden',
    failedBody:
      'Prüfen Sie die Internetverbindung und versuchen Sie es erneut, oder laden Sie es herunter und lesen Sie es mit einem anderen Programm.',
    download: 'Herunterladen',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    fitWidth: 'An Breite anpassen',
  },
  signature: {
    title: 'Ihre Unterschrift',
    draw: 'Zeichnen',
    type: 'Tippen',
    ways: 'Art der Unterschrift',
    drawHere: 'Zeichnen Sie hier Ihre Unterschrift mit Maus, Stift oder Finger.',
    drawLabel: 'Feld zum Zeichnen der Unterschrift. Wenn Sie nicht zeichnen können, wählen Sie „Tippen“.',
    clear: 'Löschen',
    typedLabel: 'Ihr Name',
    typedPreview: (name) => `Vorschau Ihrer Unterschrift: ${name}`,
    consent: (name, count) =>
      `Mit „${signLabel(count)}“ unterschreibe ich, ${name}, ${count === 1 ? 'das Dokument' : `alle ${count} Dokumente`} elektronisch. Ich habe ${
        count === 1 ? 'es' : 'sie'
      } gelesen und will, dass diese Unterschrift wie eine auf Papier gilt.`,
    sign: signLabel,
    missingDrawn: 'Zeichnen Sie zuerst Ihre Unterschrift.',
    missingTyped: 'Tippen Sie zuerst Ihren Namen.',
    failedTitle: 'Sie haben noch nicht unterschrieben',
    uncertainTitle: 'Es kam keine Antwort',
    uncertainBody:
      'Wir wissen nicht, ob Ihre Unterschrift angekommen ist. Prüfen Sie die Internetverbindung und unterschreiben Sie noch einmal: Es zählt nur einmal.',
  },
  signed: {
    title: 'Sie haben unterschrieben',
    thanks: (title, name) => `Vielen Dank, ${name}. Ihre Unterschrift für „${title}“ ist gespeichert.`,
    copies: {
      waiting: {
        title: 'Andere müssen noch unterschreiben',
        body: 'Sobald alle unterschrieben haben, können Sie die unterschriebenen Dokumente hier herunterladen. Bewahren Sie den Link aus Ihrer E-Mail auf.',
      },
      sealing: {
        title: 'Die unterschriebenen Dokumente werden versiegelt',
        body: 'Alle haben unterschrieben. Das Versiegeln dauert einen Moment; die Seite aktualisiert sich von selbst.',
      },
      ready: {
        title: 'Alle haben unterschrieben',
        body: 'Bitte laden Sie die unterschriebenen Dokumente für Ihre Unterlagen herunter.',
      },
      archived: {
        title: 'Die unterschriebenen Dokumente sind archiviert',
        body: 'Sie können hier nicht mehr heruntergeladen werden. Bitte fragen Sie den Absender nach einer Kopie.',
      },
    },
    checking: 'Es wird geprüft, ob alle unterschrieben haben …',
    checkAgain: 'Erneut prüfen',
    failedTitle: 'Die unterschriebenen Dokumente konnten nicht abgerufen werden',
    downloadOf: (filename) => `${filename} herunterladen`,
  },
  verify: {
    pageTitle: 'Signiertes Dokument prüfen',
    intro: 'Erfahren Sie, ob ein Dokument mit Sealwright unterschrieben und seitdem nicht verändert wurde, von wem und wann.',
    dropTitle: 'Signiertes PDF hier ablegen',
    dropTitleAgain: 'Datei ablegen, um zu prüfen, ob es dasselbe Dokument ist',
    dropHint: 'Es wird auf diesem Gerät geprüft und nie hochgeladen; nur sein Fingerabdruck wird verglichen.',
    chooseFile: 'PDF auswählen',
    hashing: 'Die Datei wird gelesen …',
    notPdf: 'Das ist keine PDF-Datei.',
    fileFailed: 'Die Datei konnte nicht gelesen werden.',
    fileTooLarge: 'Diese Datei ist zu groß, um im Browser geprüft zu werden.',
    file: 'Datei',
    fingerprint: 'Fingerabdruck (SHA-256)',
    noIdFound: 'In dieser Datei wurde keine Signatur-ID gefunden. Hat sie ein Siegel, tippen Sie die dort gedruckte ID ein.',
    or: 'oder mit den Angaben im Siegel prüfen',
    idLabel: 'Signatur-ID',
    idHint: 'Steht im Siegel hinter „ID“, zum Beispiel 3f0c9d0e-…',
    idInvalid: 'Eine Signatur-ID hat 32 Ziffern und Buchstaben in fünf Gruppen.',
    codeLabel: 'Prüfcode',
    codeHint: 'Steht im Siegel hinter „Code“.',
    codeInvalid: 'Der Code hat 22 Zeichen. Ein SHA-256-Fingerabdruck der Datei (64 Stellen) geht auch.',
    check: 'Prüfen',
    checking: 'Wird geprüft …',
    onRecordTitle: 'Diese Unterschrift ist verzeichnet',
    onRecordBody: 'Legen Sie die Datei ab, um zu prüfen, ob es dasselbe Dokument ist.',
    otherFileTitle: (name) => `${name} ist nicht die versiegelte Datei`,
    otherFileBody:
      'Die Unterschrift unten ist verzeichnet, aber für eine andere Datei. Schon neues Speichern oder Drucken verändert eine Datei.',
    validFileTitle: (count) =>
      count === 1
        ? 'Gültige Signatur, und diese Datei ist unverändert'
        : `${count} gültige Signaturen, und diese Datei ist unverändert`,
    invalidTitle: 'Nicht bestätigt',
    invalidBody:
      'Hierzu konnte keine gültige Signatur bestätigt werden. ID oder Code sind vielleicht vertippt, oder die Datei ist nicht genau die versiegelte: Schon neues Speichern oder Drucken verändert sie.',
    failedTitle: 'Die Prüfung war nicht möglich',
    signer: 'Unterschrieben von',
    email: 'E-Mail-Adresse',
    time: 'Zeitpunkt der Unterschrift',
    envelope: 'Umschlag',
    signatureId: 'Signatur-ID',
    another: 'Weiteres Dokument prüfen',
    howTitle: 'So funktioniert es',
    howBody:
      'Jedes versiegelte PDF enthält eine kryptografische Signatur (CMS/PKCS#7). Der Dienst prüft sie an der versiegelten Kopie, die er aufbewahrt. Auch ein PDF-Programm wie Adobe Acrobat kann sie prüfen, ohne diese Seite.',
  },
}
