// Sends one request on a connection and takes the status of the answer.
import type { Dispatcher } from 'undici'
import { AttemptError, codeOf, isOurShortage } from './attempt-error.ts'
import type { Connection } from './connection.ts'

export interface Exchange {
  /** The status, as soon as the headers are complete. Throws AttemptError, or UnansweredError. */
  status: Promise<number>
  /** Whether the answer was short and complete, so that the connection can carry another request. Otherwise the connection is destroyed. */
  isReusable: Promise<boolean>
}

/** The receiver closed the connection before the first byte of an answer. */
export class UnansweredError extends AttemptError {}

const FIRST_FINAL_STATUS = 200
/** Most bytes of everything before the body. The client limits the headers of each answer, but neither the number of answers before the final one (1xx) nor the
 *  reason after a status. */
const HEAD_AT_MOST_BYTES = 65_536
/** What is read of a body, only so that the connection can be kept. */
const BODY_AT_MOST_BYTES = 16_384
const BODY_WITHIN_MS = 1_000
const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** Sends `body` as it is. Follows no redirect, decodes nothing and repeats nothing. */
export function startExchange(
  connection: Connection,
  request: { path: string; headers: Record<string, string>; body: Buffer },
  signal: AbortSignal,
): Exchange {
  const handler = new AnswerHandler(connection, signal)
  connection.client.dispatch({ ...request, method: 'POST' }, handler)
  return { status: handler.status.promise, isReusable: handler.isReusable.promise }
}

class AnswerHandler implements Dispatcher.DispatchHandler {
  readonly status = Promise.withResolvers<number>()
  readonly isReusable = Promise.withResolvers<boolean>()
  readonly #connection: Connection
  readonly #signal: AbortSignal
  readonly #bytesBefore: number
  #hasStarted = false
  #bodyBytes = 0
  #bodyTimer: NodeJS.Timeout | undefined

  constructor(connection: Connection, signal: AbortSignal) {
    this.#connection = connection
    this.#signal = signal
    this.#bytesBefore = connection.socket.bytesRead
    if (signal.aborted) this.#onAbort()
    signal.addEventListener('abort', this.#onAbort, { once: true })
    connection.socket.on('readable', this.#onReadable)
  }

  onRequestStart(): void {}

  onResponseStarted(): void {
    this.#hasStarted = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    if (status < FIRST_FINAL_STATUS) return
    this.#stopListening()
    this.status.resolve(status)
    this.#bodyTimer = setTimeout(() => this.#end(false), BODY_WITHIN_MS)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes > BODY_AT_MOST_BYTES) this.#end(false)
  }

  onResponseEnd(): void {
    this.#end(true)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(isOurFault(error) ? error : this.#toAttemptError(error))
  }

  readonly #onAbort = (): void => this.#fail(this.#signal.reason)

  readonly #onReadable = (): void => {
    const bytes = this.#connection.socket.bytesRead - this.#bytesBefore
    if (bytes > HEAD_AT_MOST_BYTES) this.#fail(new AttemptError({ code: 'BAD_RESPONSE' }))
  }

  #stopListening(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#connection.socket.off('readable', this.#onReadable)
  }

  /** After the status has been taken, only the connection is lost. */
  #fail(error: unknown): void {
    this.status.reject(error)
    this.#end(false)
  }

  #end(isReusable: boolean): void {
    clearTimeout(this.#bodyTimer)
    this.#stopListening()
    if (!isReusable) this.#connection.destroy()
    this.isReusable.resolve(isReusable)
  }

  #toAttemptError(error: Error): AttemptError {
    // undici reports an answer that does not follow the protocol as a socket error, too.
    const isClosed = CLOSED.has(codeOf(error)) && !error.message.startsWith('bad ')
    if (!isClosed) return new AttemptError({ code: 'BAD_RESPONSE' }, error)
    const failure = { code: 'CONNECTION_RESET' } as const
    return this.#hasStarted ? new AttemptError(failure, error) : new UnansweredError(failure, error)
  }
}

/** A malformed request is, such as one with a line break in a header. */
function isOurFault(error: Error): boolean {
  return isOurShortage(error) || codeOf(error) === 'UND_ERR_INVALID_ARG'
}
