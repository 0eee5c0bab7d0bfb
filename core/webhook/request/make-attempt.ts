// The steps of an attempt: resolve and vet, connect or reuse a connection, post, take the status.
import type { SecureContext } from 'node:tls'
import type { AddressRules } from '../address/address-rules.ts'
import { hostOf, portOf } from '../address/target-url.ts'
import { type Lookup, type VettedTarget, vetTarget } from '../address/vet-target.ts'
import { AttemptError } from './attempt-error.ts'
import { connectToAny, type Dial } from './connect.ts'
import { type Connection, openConnection } from './connection.ts'
import { newDeadline } from './deadline.ts'
import { startExchange, UnansweredError } from './exchange.ts'
import type { IdleConnections } from './idle-connections.ts'

/** What the attempts of a client share. */
export interface AttemptContext {
  rules: AddressRules
  lookup: Lookup
  dial: Dial
  secureContext: SecureContext
  connectTimeoutMs: number
  idle: IdleConnections
  /** Answers that are still read after their status was taken. */
  answering: Set<Promise<void>>
}

export interface PostRequest {
  url: string
  headers: Record<string, string>
  /** Further headers, made when the connection is ready: a lookup and a handshake may take seconds. */
  sign?: () => Record<string, string>
  body: Buffer
  /** Ends the attempt with ABORTED. */
  signal?: AbortSignal
}

/** The status of the answer. Throws AttemptError, and any other error for our own faults. */
export async function makeAttempt(context: AttemptContext, request: PostRequest, signal: AbortSignal): Promise<number> {
  const target = await vet(context, request.url, signal)
  const reused = context.idle.take(target.url.origin, target.addresses)
  try {
    return await exchange(context, reused ?? (await connect(context, target, signal)), target.url, request, signal)
  } catch (error) {
    // The receiver closed the idle connection at the same moment. It is not a failed attempt.
    if (!reused || !(error instanceof UnansweredError)) throw error
    return exchange(context, await connect(context, target, signal), target.url, request, signal)
  }
}

async function vet({ rules, lookup, connectTimeoutMs }: AttemptContext, url: string, signal: AbortSignal): Promise<VettedTarget> {
  using deadline = newDeadline(connectTimeoutMs, 'NAME_LOOKUP_FAILED', signal)
  const target = await vetTarget(url, rules, lookup, deadline.signal)
  signal.throwIfAborted()
  if ('failure' in target) throw new AttemptError(target.failure)
  return target
}

async function connect(
  { idle, dial, secureContext, connectTimeoutMs }: AttemptContext,
  { url, addresses }: VettedTarget,
  signal: AbortSignal,
): Promise<Connection> {
  const endpoint = { host: hostOf(url), port: portOf(url) }
  const options = { dial, secureContext, timeoutMs: connectTimeoutMs, signal }
  const { socket, address } = await connectToAny(addresses, endpoint, options)
  const connection = openConnection(url.origin, socket, address)
  socket.once('close', () => idle.forget(connection))
  return connection
}

async function exchange(
  { idle, answering }: AttemptContext,
  connection: Connection,
  url: URL,
  { headers, sign, body }: PostRequest,
  signal: AbortSignal,
): Promise<number> {
  const request = { path: url.pathname + url.search, headers: { ...headers, ...sign?.() }, body }
  const { status, isReusable } = startExchange(connection, request, signal)
  const read = isReusable.then((reusable) => {
    if (reusable) idle.keep(url.origin, connection)
    answering.delete(read)
  })
  answering.add(read)
  return status
}
