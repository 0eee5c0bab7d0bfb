// Emails in German.
import type { FactorChange } from '../record-mail.ts'
import { toReadableTime } from '../readable-time.ts'
import { sentence } from '../sentence.ts'
import type { MailTexts } from './texts.ts'

const EXPECTED = 'Wenn Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren.'
const SIGNED_OUT = 'Überall sonst wurden Sie abgemeldet.'
const SERVICE = 'in Sealwright, dem Dienst für elektronische Unterschriften,'

const time = (at: Date) => toReadableTime(at, 'de')
const from = (address: string) => address && ` von der Adresse ${address}`
const duration = (seconds: number) => (seconds < 120 ? `${seconds} Sekunden` : `${Math.floor(seconds / 60)} Minuten`)

export const de: MailTexts = {
  language: 'de',
  hello: (recipient) => sentence`Guten Tag ${recipient},`,
  orCopyLink: 'Oder kopieren Sie diesen Link in Ihren Browser:',
  signingLink({ organisation, title, message, link, until }) {
    const valid = until ? `gilt bis zum ${time(until)}` : 'gilt, bis alle unterschrieben haben'
    return {
      subject: sentence`${organisation} bittet Sie um Ihre Unterschrift: ${title}`,
      preview: `Lesen Sie die Dokumente und unterschreiben Sie. Ihr Link ${valid}.`,
      heading: sentence`${organisation} bittet Sie um Ihre Unterschrift`,
      body: [
        sentence`${organisation} bittet Sie, ${title} zu lesen und zu unterschreiben. Ihr Link ${valid}.`,
        { introduction: sentence`${organisation} schreibt:`, quoted: message },
        { label: 'Lesen und unterschreiben', link },
      ],
      notes: [
        'Dieser Link ist nur für Sie. Wer ihn öffnet, kann in Ihrem Namen handeln; geben Sie ihn bitte nicht weiter.',
        `${EXPECTED} Unterschrieben ist erst, wenn Sie unterschreiben.`,
      ],
    }
  },
  oneTimeCode: ({ title, code, validSeconds }) => ({
    subject: sentence`Ihr Code zum Unterschreiben: ${title}`,
    preview: `Er gilt ${duration(validSeconds)}.`,
    heading: 'Ihr Code',
    body: [
      sentence`Geben Sie diesen Code ein, um ${title} zu unterschreiben:`,
      { code },
      `Er gilt ${duration(validSeconds)} und kann einmal verwendet werden.`,
    ],
    notes: [
      'Geben Sie ihn nur auf der Seite ein, die Ihr Link öffnet. Wenn Sie keinen Code angefordert haben, hat möglicherweise jemand anderes Ihren Link.',
    ],
  }),
  completed: ({ organisation, title, link }) => ({
    subject: sentence`Abgeschlossen: ${title}`,
    preview: 'Ihre unterschriebene Fassung liegt bereit.',
    heading: 'Alle haben unterschrieben',
    body: [
      sentence`Alle haben ${title} unterschrieben, versendet von ${organisation}. Ihre unterschriebene Fassung liegt bereit.`,
      { label: 'Unterschriebene Fassung herunterladen', link },
    ],
    notes: [
      'Bitte laden Sie Ihre Fassung herunter und bewahren Sie sie auf. Der Link läuft ab.',
      'Jedes PDF trägt ein digitales Siegel. Ein PDF-Programm zeigt, ob die Datei seitdem verändert wurde.',
    ],
  }),
  panelSetup({ organisation, link, until }) {
    const todo = until
      ? `Legen Sie Ihr Passwort fest, um sich anzumelden. Der Link gilt einmal und läuft am ${time(until)} ab.`
      : 'Melden Sie sich mit Ihrem gewohnten Arbeitskonto an.'
    return {
      subject: sentence`Ihr Zugang zu Sealwright: ${organisation}`,
      preview: todo,
      heading: 'Ihr Zugang zu Sealwright',
      body: [
        sentence`${organisation} hat Sie zu den Einstellungen ${SERVICE} eingeladen.`,
        todo,
        { label: until ? 'Passwort festlegen' : 'Anmelden', link },
      ],
      notes: [
        ...(until ? ['Wer diesen Link öffnet, kann in Ihrem Namen handeln. Bitte geben Sie ihn nicht weiter.'] : []),
        EXPECTED,
      ],
    }
  },
  panelElsewhere: ({ organisation, address }) => ({
    subject: sentence`Ihr Zugang zu Sealwright: ${organisation}`,
    preview: 'Diese Adresse hat schon ein Konto in einer anderen Organisation.',
    heading: 'Ihr Zugang zu Sealwright',
    body: [
      sentence`${organisation} hat Sie zu den Einstellungen ${SERVICE} eingeladen.`,
      sentence`Ihre Adresse ${address} hat hier schon ein Konto in einer anderen Organisation. Deshalb kann diese Einladung nicht angenommen werden.`,
      'Mit einer Adresse kann man sich nur bei einer Organisation anmelden. Bitten Sie um eine Einladung an eine andere Adresse von Ihnen, oder lassen Sie einen Admin Ihrer jetzigen Organisation Ihren Zugang dort entfernen und bitten Sie dann um eine neue Einladung.',
    ],
    notes: [`Ihr bisheriger Zugang ist unverändert. ${EXPECTED}`],
  }),
  passwordChanged({ organisation, at, address }) {
    const change = `wurde am ${time(at)}${from(address)} geändert. ${SIGNED_OUT}`
    return {
      subject: sentence`Ihr Passwort für Sealwright wurde geändert: ${organisation}`,
      preview: `Ihr Passwort ${change}`,
      heading: 'Ihr Passwort wurde geändert',
      body: [sentence`Ihr Passwort für die Einstellungen von ${organisation} in Sealwright ${change}`],
      notes: [
        'Wenn Sie das waren, müssen Sie nichts tun.',
        'Wenn nicht, bitten Sie sofort einen Admin Ihrer Organisation um einen neuen Link zum Festlegen des Passworts.',
      ],
    }
  },
  factorChanged({ organisation, at, address, change }) {
    const { heading, what, done, after } = FACTOR[change]
    const body = sentence`${what} für Ihre Anmeldung bei den Einstellungen von ${organisation} in Sealwright am ${time(at)}${from(address)} ${done}. ${after}`
    return {
      subject: sentence`${heading}: ${organisation}`,
      preview: body,
      heading,
      body: [body],
      notes: [
        'Wenn Sie das erwartet haben, müssen Sie nichts weiter tun.',
        'Wenn nicht, sagen Sie es sofort einem Admin Ihrer Organisation und bitten Sie um einen neuen Link zum Festlegen des Passworts.',
      ],
    }
  },
  webhookDisabled({ organisation, url, at, settingsUrl, lastError }) {
    const what = sentence`Sealwright hat den Webhook ${url} am ${time(at)} deaktiviert, weil mehrere Zustellungen in Folge alle Wiederholungen aufgebraucht haben.`
    return {
      subject: sentence`Ein Webhook wurde deaktiviert: ${organisation}`,
      preview: what,
      heading: 'Ein Webhook wurde deaktiviert',
      body: [
        what,
        ...(lastError === undefined ? [] : [`Der letzte Versuch schlug fehl: ${lastError}`]),
        'Ereignisse, die eintreten, während der Webhook deaktiviert ist, werden als „Nicht gesendet“ vermerkt und später nicht gesendet.',
        'Was zu tun ist: Korrigieren Sie den Empfänger oder die URL des Webhooks und senden Sie dann aus den Einstellungen einen Test. Sobald ein Test gelingt, ist der Webhook wieder aktiv. Ohne Test fragt Sealwright alle paar Stunden beim Empfänger an und aktiviert den Webhook, wenn der Empfänger mit einem Status 2xx antwortet.',
        'Der Zustellverlauf zeigt jeden Versuch. Aufgegebene Zustellungen können Sie von dort erneut senden, sobald der Webhook aktiv ist.',
        { label: 'Webhooks öffnen', link: settingsUrl },
      ],
      notes: [sentence`Sie erhalten diese E-Mail als Admin von ${organisation}.`],
    }
  },
  webhookEnabled({ organisation, url, at, settingsUrl }) {
    const what = sentence`Der Empfänger des Webhooks ${url} hat ein Testereignis mit einem Status 2xx beantwortet. Sealwright hat den Webhook am ${time(at)} aktiviert und sendet ihm neue Ereignisse.`
    return {
      subject: sentence`Ein Webhook wurde wieder aktiviert: ${organisation}`,
      preview: what,
      heading: 'Ein Webhook wurde wieder aktiviert',
      body: [
        what,
        'Ereignisse, die eintraten, während er deaktiviert war, wurden nicht gesendet und werden später nicht gesendet; der Zustellverlauf führt sie als „Nicht gesendet“.',
        'Was zu tun ist: Senden Sie im Zustellverlauf die Zustellungen erneut, die vor der Deaktivierung aufgegeben wurden, und lesen Sie die Änderungen, die nicht gesendet wurden, über die API.',
        { label: 'Webhooks öffnen', link: settingsUrl },
      ],
      notes: [sentence`Sie erhalten diese E-Mail als Admin von ${organisation}.`],
    }
  },
}

/** `what` stands before the organisation and the time, `done` after them. */
const FACTOR: Readonly<Record<FactorChange, { heading: string; what: string; done: string; after: string }>> = {
  SET_UP: {
    heading: 'Zweiter Faktor eingerichtet',
    what: 'Ein zweiter Faktor wurde',
    done: 'eingerichtet',
    after: `${SIGNED_OUT} Ab jetzt brauchen Sie zum Anmelden Ihr Passwort und einen Code aus Ihrer Authenticator-App.`,
  },
  REMOVED: {
    heading: 'Zweiter Faktor entfernt',
    what: 'Der zweite Faktor wurde',
    done: 'entfernt',
    after: `${SIGNED_OUT} Zum Anmelden brauchen Sie nur Ihr Passwort.`,
  },
  RESET: {
    heading: 'Zweiter Faktor zurückgesetzt',
    what: 'Der zweite Faktor wurde',
    done: 'von einem Admin oder dem Betreiber zurückgesetzt',
    after: 'Sie wurden überall abgemeldet. Melden Sie sich mit Ihrem Passwort an und richten Sie einen neuen zweiten Faktor ein.',
  },
  RECOVERY_CODE_USED: {
    heading: 'Wiederherstellungscode verwendet',
    what: 'Ein Wiederherstellungscode wurde als zweiter Faktor',
    done: 'verwendet',
    after:
      'Dieser Code gilt nicht mehr. Wenn Ihr Telefon verloren ist, entfernen Sie den zweiten Faktor und richten Sie einen neuen ein.',
  },
  RECOVERY_CODES_RENEWED: {
    heading: 'Neue Wiederherstellungscodes',
    what: 'Neue Wiederherstellungscodes wurden',
    done: 'ausgegeben',
    after: 'Die früheren Codes gelten nicht mehr.',
  },
}
