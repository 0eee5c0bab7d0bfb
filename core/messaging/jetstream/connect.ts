// The connection to NATS. It reconnects for as long as the process lives.
import { readFile } from 'node:fs/promises'
import { type Authenticator, connect, credsAuthenticator, type NatsConnection } from 'nats'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { toNatsError } from './nats-error.ts'

export interface NatsAddress {
  /** nats://host:port or tls://host:port, several separated by commas, optionally with user and password. */
  url: string
  /** A .creds file with the user's key. */
  credsFile?: string | undefined
}

const CONNECT_TIMEOUT_MS = 5_000
const RECONNECT_WAIT_MS = 500
const PING_INTERVAL_MS = 10_000

/** Connects once. Throws StartupError. */
export async function connectNats(address: NatsAddress, name: string): Promise<NatsConnection> {
  const { servers, encrypted, user, pass } = readUrl(address.url)
  const authenticator = address.credsFile === undefined ? undefined : await readCreds(address.credsFile)
  try {
    return await connect({
      servers,
      name,
      timeout: CONNECT_TIMEOUT_MS,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_WAIT_MS,
      // An unresponsive server is detected after two pings; TCP takes hours.
      pingInterval: PING_INTERVAL_MS,
      maxPingOut: 2,
      // Without it the library falls back to plain text when the server offers no TLS, whatever the URL says.
      ...(encrypted && { tls: {} }),
      ...(user !== undefined && { user }),
      ...(pass !== undefined && { pass }),
      ...(authenticator && { authenticator }),
    })
  } catch (error) {
    throw toNatsError(error)
  }
}

function readUrl(text: string): { servers: string[]; encrypted: boolean; user?: string; pass?: string } {
  const urls = text.split(',').map((each) => new URL(each.trim()))
  const login = urls.find(({ username }) => username !== '')
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    encrypted: urls.some(({ protocol }) => protocol === 'tls:'),
    ...(login && { user: decodeURIComponent(login.username), pass: decodeURIComponent(login.password) }),
  }
}

async function readCreds(file: string): Promise<Authenticator> {
  try {
    const authenticator = credsAuthenticator(await readFile(file))
    // The library reads them only when it connects, and an error would look like a network error.
    authenticator('')
    return authenticator
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError('NATS_REFUSED', `SEALWRIGHT_NATS_CREDS_FILE cannot be read: ${reason}.`, cause)
  }
}
