// Opens a verified TLS connection to one of the vetted addresses.
import { isIP, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { AttemptError } from './attempt-error.ts'
import { toConnectError, toTlsError } from './connect-failure.ts'
import { newDeadline } from './deadline.ts'

/** Starts a TCP connection to a vetted address. */
export type Dial = (address: string, port: number) => Socket

export interface Endpoint {
  /** The name that the certificate must contain, or an address. */
  host: string
  port: number
}

interface ConnectOptions {
  dial: Dial
  secureContext: SecureContext
  timeoutMs: number
  signal: AbortSignal
}

export interface Connected {
  socket: TLSSocket
  address: string
}

/** A name can have hundreds of addresses; with more tries each would get too little time. */
const MOST_TRIES = 4

/** Tries the addresses in turn, each for its share of the time limit. A failed handshake ends it: another address of the same receiver would show the
 *  same certificate. Throws AttemptError, or the error of a shortage of this machine. */
export async function connectToAny(
  addresses: readonly string[],
  endpoint: Endpoint,
  { timeoutMs, signal, ...options }: ConnectOptions,
): Promise<Connected> {
  const endsAt = performance.now() + timeoutMs
  const tries = addresses.slice(0, MOST_TRIES)
  let first: AttemptError | undefined
  for (const [index, address] of tries.entries()) {
    const share = Math.max(1, (endsAt - performance.now()) / (tries.length - index))
    using deadline = newDeadline(share, 'CONNECT_TIMEOUT', signal)
    try {
      return { address, socket: await connectTo(address, endpoint, { ...options, signal: deadline.signal }) }
    } catch (error) {
      if (!(error instanceof AttemptError) || signal.aborted || error.failure.code.startsWith('TLS_')) throw error
      // A host without IPv6 reports each IPv6 address as unreachable, which says nothing about the receiver.
      if (!first || first.failure.code === 'HOST_UNREACHABLE') first = error
    }
  }
  throw first ?? new AttemptError({ code: 'HOST_UNREACHABLE' })
}

async function connectTo(
  address: string,
  { host, port }: Endpoint,
  { dial, secureContext, signal }: Omit<ConnectOptions, 'timeoutMs'>,
): Promise<TLSSocket> {
  const raw = dial(address, port).on('error', ignore)
  await settled(raw, 'connect', signal, toConnectError)
  const socket = connectTls({
    socket: raw,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    // SNI carries names only (RFC 6066 3).
    ...(isIP(host) === 0 && { servername: host }),
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  }).on('error', ignore)
  let validTo: string | undefined
  // The socket drops a certificate that it rejects. This event comes just before the check. (Not getPeerX509Certificate, which leaves the check an empty
  // certificate.)
  socket.prependOnceListener('secure', () => {
    validTo = socket.getPeerCertificate()?.valid_to
  })
  await settled(socket, 'secureConnect', signal, (error) => toTlsError(error, validTo))
  return socket.setNoDelay(true)
}

/** Resolves with the event. When the socket fails or the signal is aborted first, destroys the socket and throws. */
async function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  translate: (error: unknown) => unknown,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onError = (error: unknown): void => reject(translate(error))
  const onClose = (): void => reject(new AttemptError({ code: 'CONNECTION_RESET' }))
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  socket.once(event, resolve).once('error', onError).once('close', onClose)
  try {
    await promise
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    socket.off(event, resolve).off('error', onError).off('close', onClose)
    signal.removeEventListener('abort', onAbort)
  }
}

/** An error of a socket that no other listener awaits, such as one after the attempt. Without a listener it would end the process. */
function ignore(): void {}
