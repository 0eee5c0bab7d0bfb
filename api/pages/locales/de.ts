// German.
import type { Texts } from './en.ts'
import { deFailures } from './failures.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? `${count} ${one}` : `${count} ${many}`)

export const de: Texts = {
  shared: {
    product: 'Sealwright',
    loading: 'Wird geladen …',
    tryAgain: 'Erneut versuchen',
    tryAgainIn: (time) => `Erneut versuchen in ${time}`,
    cancel: 'Abbrechen',
    fromService: 'Details',
    verifyLink: 'Signiertes Dokument prüfen',
  },
  failure: deFailures,
  closed: {
    link: {
      title: 'Dieser Link ist nicht gültig',
      body: 'Er ist möglicherweise abgelaufen oder zurückgezogen, oder eine andere Person muss zuerst unterschreiben.',
      advice:
        'Prüfen Sie, ob Sie den vollständigen Link aus der E-Mail geöffnet haben. Wenn das nicht hilft, wenden Sie sich an den Absender.',
    },
    envelope: {
      title: 'Die Unterzeichnung ist beendet',
      body: 'Die Dokumente wurden zurückgezogen oder sind abgelaufen, bevor alle unterschrieben hatten.',
      advice: 'Sie müssen nichts tun. Der Absender kann Ihnen mehr dazu sagen.',
    },
    turn: {
      title: 'Sie sind noch nicht an der Reihe',
      body: 'Vor Ihnen muss eine andere Person unterschreiben.',
      advice: 'Sie erhalten eine E-Mail, sobald Sie an der Reihe sind.',
    },
  },
  unreachable: { title: 'Die Seite konnte nicht geladen werden' },
  code: {
    title: 'Bestätigen Sie zuerst, dass Sie es sind',
    eyebrow: 'Sie werden um Ihre Unterschrift gebeten',
    intro: (name) => `${name}, wir senden einen sechsstelligen Code an Ihre E-Mail-Adresse:`,
    send: 'Code senden',
    sendAgain: 'Neuen Code senden',
    sendAgainIn: (time) => `Neuen Code senden in ${time}`,
    sent: (email) =>
      `Wir haben einen Code an ${email} gesendet. Das kann eine Minute dauern. Bitte sehen Sie auch im Spam-Ordner nach.`,
    sentEarlier: (email) => `Gerade wurde ein Code an ${email} gesendet. Bitte verwenden Sie diesen.`,
    unusable: 'Der letzte Code ist nicht mehr gültig. Bitte fordern Sie einen neuen an.',
    expired: 'Der Code ist abgelaufen. Bitte fordern Sie einen neuen an.',
    expiresIn: (time) => `Läuft ab in ${time}`,
    label: 'Sechsstelliger Code',
    incomplete: 'Geben Sie alle sechs Ziffern ein.',
    confirm: 'Bestätigen',
    wrongTitle: 'Der Code ist nicht richtig',
    triesLeft: (count) =>
      `Bitte sehen Sie in der E-Mail nach und versuchen Sie es erneut. Sie haben noch ${plural(count, 'Versuch', 'Versuche')}.`,
    permissionLost:
      'Zu Ihrer Sicherheit gilt eine Bestätigung nur 30 Minuten. Bitte bestätigen Sie erneut. Alles Bisherige bleibt erhalten.',
  },
  sender: {
    from: (organisation) => `Von: ${organisation}`,
    message: 'Nachricht des Absenders',
    until: (time) => `Bitte unterschreiben Sie bis ${time}.`,
  },
  documents: {
    eyebrow: 'Bitte lesen und unterschreiben',
    signingAs: 'Sie unterschreiben als',
    listTitle: (count) => plural(count, 'Dokument', 'Dokumente'),
    andDetails: 'und Einzelheiten',
    opened: 'geöffnet',
    notOpened: 'noch nicht geöffnet',
    pagesSeen: (seen, total) => `${seen} von ${plural(total, 'Seite', 'Seiten')} gesehen`,
    nextDocument: 'Nächstes Dokument',
    nextUnseen: 'Nächste ungesehene Seite',
    sign: 'Unterschreiben',
    progress: (opened, total) =>
      total === 1
        ? 'Bitte lesen Sie das Dokument, bevor Sie unterschreiben.'
        : `${opened} von ${total} Dokumenten geöffnet. Bitte öffnen Sie alle, bevor Sie unterschreiben.`,
    ready: (total) =>
      total === 1 ? 'Sie können jetzt unterschreiben.' : 'Sie haben alle Dokumente geöffnet und können jetzt unterschreiben.',
    personal: (name) => `Dieser Link ist nur für ${name} bestimmt. Wenn Sie das nicht sind, schließen Sie bitte diese Seite.`,
  },
  reader: {
    toolbar: 'Anzeige',
    pageLabel: (page, total) => `Seite ${page} von ${total}`,
    pagePosition: (page, total) => `Seite ${page} von ${total}`,
    pageFailed: (page) => `Seite ${page} kann hier nicht angezeigt werden. Bitte laden Sie das Dokument zum Lesen herunter.`,
    loading: 'Das Dokument wird geöffnet …',
    failedTitle: 'Das Dokument kann nicht angezeigt werden',
    failedBody:
      'Prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut, oder laden Sie das Dokument herunter und öffnen Sie es mit einem anderen Programm.',
    download: 'Herunterladen',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    signatureHere: 'Hier steht Ihre Unterschrift',
    nextMarker: 'Nächstes Unterschriftsfeld',
    fitWidth: 'An Breite anpassen',
  },
  signature: {
    title: 'Ihre Unterschrift',
    draw: 'Zeichnen',
    type: 'Tippen',
    ways: 'Art der Unterschrift',
    drawHere: 'Zeichnen Sie hier Ihre Unterschrift mit Maus, Stift oder Finger.',
    drawLabel: 'Zeichenfläche für die Unterschrift. Wenn Sie nicht zeichnen können, wählen Sie „Tippen“.',
    clear: 'Löschen',
    typedLabel: 'Ihr Name',
    typedPreview: (name) => `Vorschau Ihrer Unterschrift: ${name}`,
    // The consent, which the service sends, quotes this label.
    sign: (count) => (count === 1 ? 'Dokument unterschreiben' : `${count} Dokumente unterschreiben`),
    missingDrawn: 'Zeichnen Sie zuerst Ihre Unterschrift.',
    missingTyped: 'Tippen Sie zuerst Ihren Namen.',
    failedTitle: 'Sie haben noch nicht unterschrieben',
    uncertainTitle: 'Der Dienst hat nicht geantwortet',
    uncertainBody:
      'Wir wissen nicht, ob Ihre Unterschrift angekommen ist. Prüfen Sie Ihre Internetverbindung und unterschreiben Sie erneut. Sie wird nur einmal gespeichert.',
  },
  signed: {
    title: 'Sie haben unterschrieben',
    thanks: (title, name) => `Vielen Dank, ${name}. Ihre Unterschrift für „${title}“ ist gespeichert.`,
    copies: {
      waiting: {
        title: 'Andere müssen noch unterschreiben',
        body: 'Sobald alle unterschrieben haben, können Sie die unterschriebenen Dokumente hier herunterladen. Bewahren Sie den Link in Ihrer E-Mail auf.',
      },
      sealing: {
        title: 'Die unterschriebenen Dokumente werden gesiegelt',
        body: 'Alle haben unterschrieben. Das Siegeln dauert einen Moment. Die Seite aktualisiert sich automatisch.',
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
    failedTitle: 'Die unterschriebenen Dokumente konnten nicht geladen werden',
    downloadOf: (filename) => `${filename} herunterladen`,
  },
  verify: {
    pageTitle: 'Signiertes Dokument prüfen',
    intro:
      'Erfahren Sie, ob ein Dokument mit Sealwright unterschrieben wurde, von wem und wann, und ob es seitdem verändert wurde.',
    dropTitle: 'Signiertes PDF hier ablegen',
    dropTitleAgain: 'Datei ablegen, um zu prüfen, ob es dasselbe Dokument ist',
    dropHint: 'Die Datei bleibt auf Ihrem Gerät. Nur ihr Fingerabdruck wird zum Vergleich gesendet.',
    chooseFile: 'PDF auswählen',
    hashing: 'Die Datei wird gelesen …',
    notPdf: 'Das ist keine PDF-Datei.',
    fileFailed: 'Die Datei konnte nicht gelesen werden.',
    fileTooLarge: 'Diese Datei ist zu groß, um im Browser geprüft zu werden.',
    file: 'Datei',
    fingerprint: 'Fingerabdruck (SHA-256)',
    noIdFound: 'In dieser Datei wurde keine Signatur-ID gefunden. Wenn sie ein Siegel hat, geben Sie die dort gedruckte ID ein.',
    or: 'oder die Angaben im Siegel eingeben',
    idLabel: 'Signatur-ID',
    idHint: 'Steht im Siegel hinter „ID“, zum Beispiel 3f0c9d0e-…',
    idInvalid: 'Eine Signatur-ID hat 32 Buchstaben und Ziffern in fünf Gruppen.',
    codeLabel: 'Prüfcode',
    codeHint: 'Steht im Siegel hinter „Code“.',
    codeInvalid: 'Der Code hat 22 Zeichen. Möglich ist auch der SHA-256-Fingerabdruck der Datei (64 Zeichen).',
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
    extendedTitle: (name) => `${name} wurde nach dem Siegeln noch einmal signiert`,
    extendedBody: (later) =>
      `Die Datei beginnt mit dem gesiegelten Dokument. Es ist unverändert und hat die gültigen Signaturen unten. Andere haben später signiert: ${later} weitere ${later === 1 ? 'Signatur' : 'Signaturen'}. Was hinzugefügt wurde, prüft diese Seite nicht: Lesen Sie das gesiegelte Dokument oder prüfen Sie die Datei mit „sealwright verify“.`,
    saveSealed: 'Gesiegeltes Dokument speichern',
    sealedFingerprint: 'Fingerabdruck des gesiegelten Dokuments (SHA-256)',
    invalidTitle: 'Nicht bestätigt',
    invalidBody:
      'Es wurde keine gültige Signatur gefunden. ID oder Code enthalten möglicherweise einen Tippfehler, oder die Datei ist nicht das gesiegelte Original: Schon erneutes Speichern oder Drucken verändert sie.',
    failedTitle: 'Das Dokument konnte nicht geprüft werden',
    signer: 'Unterschrieben von',
    email: 'E-Mail-Adresse',
    time: 'Zeitpunkt der Unterschrift',
    envelope: 'Umschlag',
    signatureId: 'Signatur-ID',
    another: 'Weiteres Dokument prüfen',
    howTitle: 'So funktioniert es',
    howBody:
      'Jedes gesiegelte PDF enthält eine kryptografische Signatur (CMS/PKCS#7). Der Dienst prüft sie in der gesiegelten Kopie, die er aufbewahrt. Sie können sie auch ohne diese Seite prüfen, mit einem PDF-Programm wie Adobe Acrobat.',
  },
}
