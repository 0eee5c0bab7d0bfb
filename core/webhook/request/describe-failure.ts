// Failures as sentences for the people who look after a webhook.
import type { Locale } from '#core/platform/text/locale.ts'
import type { AttemptFailure, FailureCode } from '../failure.ts'

type Texts = Record<FailureCode, string | ((detail: string, day: string) => string)>

const URL_RULES: Record<Locale, Record<string, string>> = {
  en: {
    scheme: 'The URL must begin with https://.',
    userinfo: 'The URL must not contain a user name or password.',
    port: 'Port 0 is not allowed.',
    host: 'The host name is for internal use and not reachable from the internet.',
    form: 'This is not a valid URL.',
  },
  de: {
    scheme: 'Die URL muss mit https:// beginnen.',
    userinfo: 'Die URL darf weder Benutzernamen noch Passwort enthalten.',
    port: 'Port 0 ist nicht erlaubt.',
    host: 'Der Hostname gilt nur in internen Netzen und ist aus dem Internet nicht erreichbar.',
    form: 'Das ist keine gültige URL.',
  },
}

const TEXTS: Record<Locale, Texts> = {
  en: {
    HTTP_STATUS: (status) => `The receiver answered with HTTP status ${status}.`,
    URL_NOT_ALLOWED: (rule) => URL_RULES.en[rule] ?? 'The URL is not allowed.',
    ADDRESS_NOT_ALLOWED: 'The address is not allowed: it is not public.',
    NAME_NOT_FOUND: 'The host name does not resolve.',
    NAME_LOOKUP_FAILED: 'The host name could not be resolved. The DNS server did not answer or reported an error.',
    CONNECTION_REFUSED: 'The receiver refused the connection.',
    CONNECTION_RESET: 'The receiver closed the connection before it answered.',
    HOST_UNREACHABLE: 'There is no network route to the receiver.',
    CONNECT_TIMEOUT: 'The connection could not be established in time.',
    TLS_EXPIRED: (_, day) => (day === '' ? 'The TLS certificate has expired.' : `The TLS certificate expired on ${day}.`),
    TLS_NOT_YET_VALID: 'The TLS certificate is not valid yet.',
    TLS_WRONG_HOST: 'The TLS certificate is for another host name.',
    TLS_UNTRUSTED: 'The TLS certificate is self-signed, its issuer is not trusted, or an intermediate certificate is missing.',
    TLS_FAILED: 'The TLS handshake failed. TLS 1.2 or newer is required.',
    TIMEOUT: 'The receiver did not answer in time.',
    BAD_RESPONSE: 'The answer of the receiver is not valid HTTP/1.1.',
    ABORTED: 'The attempt was interrupted.',
  },
  de: {
    HTTP_STATUS: (status) => `Der Empfänger antwortete mit dem HTTP-Status ${status}.`,
    URL_NOT_ALLOWED: (rule) => URL_RULES.de[rule] ?? 'Die URL ist nicht erlaubt.',
    ADDRESS_NOT_ALLOWED: 'Die Adresse ist nicht erlaubt: Sie ist nicht öffentlich.',
    NAME_NOT_FOUND: 'Der Hostname lässt sich nicht auflösen.',
    NAME_LOOKUP_FAILED: 'Der Hostname konnte nicht aufgelöst werden. Der DNS-Server antwortete nicht oder meldete einen Fehler.',
    CONNECTION_REFUSED: 'Der Empfänger hat die Verbindung abgelehnt.',
    CONNECTION_RESET: 'Der Empfänger hat die Verbindung geschlossen, bevor er antwortete.',
    HOST_UNREACHABLE: 'Es gibt keine Netzwerkroute zum Empfänger.',
    CONNECT_TIMEOUT: 'Die Verbindung kam nicht rechtzeitig zustande.',
    TLS_EXPIRED: (_, day) => (day === '' ? 'Das TLS-Zertifikat ist abgelaufen.' : `Das TLS-Zertifikat ist am ${day} abgelaufen.`),
    TLS_NOT_YET_VALID: 'Das TLS-Zertifikat ist noch nicht gültig.',
    TLS_WRONG_HOST: 'Das TLS-Zertifikat gilt für einen anderen Hostnamen.',
    TLS_UNTRUSTED:
      'Das TLS-Zertifikat ist selbst signiert, sein Aussteller nicht vertrauenswürdig, oder ein Zwischenzertifikat fehlt.',
    TLS_FAILED: 'Der TLS-Handshake ist gescheitert. Erforderlich ist TLS 1.2 oder neuer.',
    TIMEOUT: 'Der Empfänger hat nicht rechtzeitig geantwortet.',
    BAD_RESPONSE: 'Die Antwort des Empfängers ist kein gültiges HTTP/1.1.',
    ABORTED: 'Der Versuch wurde unterbrochen.',
  },
}

/** One sentence or two that say what happened and, where it is not obvious, what is required. */
export function describeFailure({ code, detail = '' }: AttemptFailure, language: Locale): string {
  const text = TEXTS[language][code]
  return typeof text === 'string' ? text : text(detail, dayOf(detail, language))
}

function dayOf(detail: string, language: Locale): string {
  const date = new Date(detail)
  if (Number.isNaN(date.getTime())) return ''
  return date.toLocaleDateString(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}
