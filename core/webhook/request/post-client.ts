// The HTTP client of webhook deliveries. Each attempt checks the addresses and has a time limit.
import { connect as connectTcp } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import type { AddressRules } from '../address/address-rules.ts'
import { openSystemLookup } from '../address/system-lookup.ts'
import type { Lookup } from '../address/vet-target.ts'
import { AttemptError } from './attempt-error.ts'
import type { Dial } from './connect.ts'
import { newDeadline } from './deadline.ts'
import type { AttemptFailure } from '../failure.ts'
import { newIdleConnections } from './idle-connections.ts'
import { type AttemptContext, makeAttempt, type PostRequest } from './make-attempt.ts'

/** Successful when there is no failure: the status is 2xx. */
export interface AttemptResult {
  responseStatus?: number
  failure?: AttemptFailure
  durationMs: number
}

export interface PostClient extends AsyncDisposable {
  /** Makes one attempt. Throws only for our own faults (malformed rules or headers, no free file descriptors), which are no result of the attempt. */
  post(request: PostRequest): Promise<AttemptResult>
}

export interface PostClientOptions {
  rules: AddressRules
  lookup?: Lookup
  /** Time limit of the whole attempt, from the lookup to the status. */
  timeoutMs: number
  /** Time limit of the lookup, and then of all connections and handshakes together. */
  connectTimeoutMs: number
  /** PEM of authorities that are trusted beside the public ones. */
  ca?: string | readonly string[] | undefined
  /** Connects to an address that has passed the check. Tests map public addresses to local listeners here. */
  dial?: Dial
}

const MOST_IDLE_CONNECTIONS = 256

/** Opens a client, which reads the trusted certificates once. Dispose it when no attempt is running. */
export function openPostClient(options: PostClientOptions): PostClient {
  const ca = [...getCACertificates('default'), ...[options.ca ?? []].flat()]
  const context: AttemptContext = {
    rules: options.rules,
    lookup: options.lookup ?? openSystemLookup(),
    dial: options.dial ?? ((address, port) => connectTcp({ host: address, port })),
    secureContext: createSecureContext({ ca, minVersion: 'TLSv1.2' }),
    connectTimeoutMs: options.connectTimeoutMs,
    idle: newIdleConnections(MOST_IDLE_CONNECTIONS),
    answering: new Set(),
  }
  return {
    async post(request) {
      const startedAt = performance.now()
      using deadline = newDeadline(options.timeoutMs, 'TIMEOUT', request.signal)
      const outcome = await outcomeOf(makeAttempt(context, request, deadline.signal))
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) }
    },
    async [Symbol.asyncDispose]() {
      context.idle[Symbol.dispose]()
      await Promise.all(context.answering)
    },
  }
}

async function outcomeOf(attempt: Promise<number>): Promise<Omit<AttemptResult, 'durationMs'>> {
  try {
    const responseStatus = await attempt
    if (responseStatus >= 200 && responseStatus < 300) return { responseStatus }
    return { responseStatus, failure: { code: 'HTTP_STATUS', detail: String(responseStatus) } }
  } catch (error) {
    if (error instanceof AttemptError) return { failure: error.failure }
    throw error
  }
}
