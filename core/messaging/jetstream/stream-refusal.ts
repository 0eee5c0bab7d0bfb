// Answers to requests about streams and consumers: a refusal, which no waiting cures, or a temporary inability.
import { JetStreamApiError } from '@nats-io/jetstream'
import { StartupError, type StartupErrorKind } from '#core/platform/process/startup-error.ts'
import { toNatsError } from './nats-error.ts'

/** The server's codes for a lack of room or of a leader, and for what was deleted a moment ago. */
const PASSING = new Set([10_005, 10_008, 10_014, 10_023, 10_047, 10_059])

/** True when the server understood the request and refuses it. */
export function isRefusal(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && !PASSING.has(error.code)
}

/** The StartupError for `error`: a refusal in the server's words with what was requested and what helps, anything else as a connection error. */
export function toRefusal(kind: StartupErrorKind, what: string, error: unknown, advice: string): StartupError {
  return isRefusal(error) ? new StartupError(kind, `${what}: ${error.message}. ${advice}`, error) : toNatsError(error)
}

/** For `catch`: undefined for a stream or a consumer that is not there. Throws anything else. */
export function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && ['StreamNotFoundError', 'ConsumerNotFoundError'].includes(error.name)) return undefined
  throw error
}
