// Classifies errors of requests about streams and consumers: rejected, which waiting cannot fix, or temporary.
import { JetStreamApiError } from '@nats-io/jetstream'
import { StartupError, type StartupErrorKind } from '#core/platform/errors/startup-error.ts'
import { toNatsError } from './nats-error.ts'

/** The server's codes for a lack of room or of a leader, and for what was deleted a moment ago. */
const TEMPORARY = new Set([10_005, 10_008, 10_014, 10_023, 10_047, 10_059])

/** True when the server understood the request and rejects it. */
export function isRejection(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && !TEMPORARY.has(error.code)
}

/** The StartupError for `error`: a rejection in the server's words with the request and the fix, anything else as a connection error. */
export function toStreamError(kind: StartupErrorKind, what: string, error: unknown, advice: string): StartupError {
  return isRejection(error) ? new StartupError(kind, `${what}: ${error.message}. ${advice}`, error) : toNatsError(error)
}

/** For `catch`: undefined for a stream or a consumer that is not there. Throws anything else. */
export function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && ['StreamNotFoundError', 'ConsumerNotFoundError'].includes(error.name)) return undefined
  throw error
}
