// From SEALWRIGHT_SMTP_URL to a connection: which port, which encryption, how long to wait. Only smtp: and smtps:; nothing else of the URL is
// taken, so no option of the mail library can be switched by it.
import { isSmtpUrl, SMTP_URL_FORM } from '#core/platform/config/forms.ts'
import type { SMTPPoolOptions } from 'nodemailer'

const CONNECT_WITHIN_MS = 10_000
const IDLE_AT_MOST_MS = 30_000
const MAX_CONNECTIONS = 5
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** How to speak to the server at `url`. `smtps:` is encrypted from the first byte. `smtp:` with a password turns to TLS with a good certificate or
 *  sends nothing; without one it encrypts where the server offers to, whatever its certificate, as mail servers do among themselves (RFC 7435);
 *  on the same machine it does not encrypt. Throws one sentence that does not repeat the URL. */
export function toSmtpOptions(url: string): SMTPPoolOptions & { pool: true } {
  if (!isSmtpUrl(url)) throw new Error(`SEALWRIGHT_SMTP_URL ${SMTP_URL_FORM}.`)
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const local = LOOPBACK.test(hostname)
  const hasPassword = username !== ''
  return {
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Once: a connection that the server had closed while it was idle. Anything more is for whoever queues the mail.
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
    // Bodies are strings of ours; nothing in them may make the library read a file or fetch a page.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
