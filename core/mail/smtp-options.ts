// Turns SEALWRIGHT_SMTP_URL into connection options: port, encryption, timeouts. Accepts only smtp: and smtps: and ignores the rest of the URL, so
// that it cannot set options of the mail library.
import { isSmtpUrl, SMTP_URL_FORM } from '#core/platform/config/forms.ts'
import { isLoopbackHost } from '#core/platform/config/loopback.ts'
import type { SMTPPoolOptions } from 'nodemailer'

const CONNECT_WITHIN_MS = 10_000
const IDLE_AT_MOST_MS = 30_000
const MAX_CONNECTIONS = 5

/** The options for the server at `url`. `smtps:` is encrypted from the first byte. `smtp:` with a password requires STARTTLS with a valid
 *  certificate; without one it encrypts if the server offers it, with any certificate, as mail servers do among themselves (RFC 7435); on the same
 *  machine it does not encrypt. Throws one sentence that does not repeat the URL. */
export function toSmtpOptions(url: string): SMTPPoolOptions & { pool: true } {
  if (!isSmtpUrl(url)) throw new Error(`SEALWRIGHT_SMTP_URL ${SMTP_URL_FORM}.`)
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const local = isLoopbackHost(hostname)
  const hasPassword = username !== ''
  return {
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Once, for a connection that the server closed while it was idle. The mail queue makes any further attempt.
    maxRequeues: 1,
    idleTimeout: IDLE_AT_MOST_MS,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ignoreTLS: !secure && local,
    requireTLS: !secure && hasPassword && !local,
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: secure || hasPassword },
    ...(hasPassword && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_WITHIN_MS,
    greetingTimeout: CONNECT_WITHIN_MS,
    socketTimeout: IDLE_AT_MOST_MS,
    // Bodies are our own strings; nothing in them may make the library read a file or fetch a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
