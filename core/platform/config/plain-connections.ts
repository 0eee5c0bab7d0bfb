// Which servers outside this machine are reached without TLS.
import { isLoopbackHost } from './loopback.ts'
import type { Secret } from './secret.ts'

export interface ConnectionSettings {
  databaseUrl?: Secret | undefined
  natsUrl?: string | undefined
  s3Endpoint?: string | undefined
  smtpUrl?: Secret | undefined
}

/** One sentence for each setting that leads to another machine without TLS, without its value. */
export interface PlainConnections {
  /** Connections to database and NATS, for which TLS can be required. */
  refusable: string[]
  /** Connections to the object store, whose requests are signed and whose answers are compared with hashes, and of the mail server. */
  others: string[]
}

/** Modes in which the driver never falls back to a connection without TLS. */
const TLS_MODES: ReadonlySet<string | null> = new Set(['require', 'verify-full'])

/** Which of the settings lead to another machine without TLS. */
export function plainConnections({ databaseUrl, natsUrl = '', s3Endpoint, smtpUrl }: ConnectionSettings): PlainConnections {
  const database =
    isPlainDatabase(databaseUrl?.reveal() ?? '') &&
    'SEALWRIGHT_DATABASE_URL leads to another machine without TLS: add sslmode=verify-full (or require).'
  const nats =
    natsUrl.split(',').some(isPlainNats) &&
    'SEALWRIGHT_NATS_URL leads to another machine without TLS: use tls:// for every server.'
  const store = isRemote(s3Endpoint, 'http:') && 'SEALWRIGHT_S3_ENDPOINT leads to another machine without TLS: use https://.'
  const mail =
    isPlainMail(smtpUrl?.reveal()) &&
    'SEALWRIGHT_SMTP_URL leads to another machine, perhaps without TLS: use smtps://, or a user, which requires STARTTLS.'
  return { refusable: [database, nats].filter((text) => text !== false), others: [store, mail].filter((text) => text !== false) }
}

function isPlainMail(url: string | undefined): boolean {
  return isRemote(url, 'smtp:') && !URL.parse(url ?? '')?.password
}

/** Also of URLs with several hosts, which `URL` cannot parse. */
function isPlainDatabase(url: string): boolean {
  const [, hosts = '', query = ''] = /^[a-z]+:\/\/(?:[^@/?]*@)?([^/?@]*)[^?#]*\??([^#]*)/.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  const usesTls = TLS_MODES.has(parameters.get('sslmode') ?? parameters.get('ssl')) || parameters.get('sslrootcert') === 'system'
  return !usesTls && hosts.split(',').some((host) => host !== '' && !isLoopbackHost(host.replace(/:\d+$/, '')))
}

function isPlainNats(server: string): boolean {
  return isRemote(server.trim(), 'nats:')
}

function isRemote(text: string | undefined, protocol: string): boolean {
  const url = URL.parse(text ?? '')
  return url?.protocol === protocol && !isLoopbackHost(url.hostname)
}
