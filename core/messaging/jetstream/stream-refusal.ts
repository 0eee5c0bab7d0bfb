// What the server answers to a wish about a stream or a consumer: whether it refuses, so that no waiting helps, or only cannot at this moment.
import { JetStreamApiError } from '@nats-io/jetstream'
import { StartupError, type StartupErrorKind } from '#core/platform/process/startup-error.ts'
import { toNatsError } from './nats-error.ts'

/** Codes of the server for what it has no room or no leader for at this moment, or what somebody has just deleted. */
const PASSING = new Set([10_005, 10_008, 10_014, 10_023, 10_047, 10_059])

/** Whether the server understood what was wanted and will not do it, however often it is asked. */
export function isRefusal(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError && !PASSING.has(error.code)
}

/** The StartupError for `error`: a refusal in the server's words between what was wanted and what helps, anything else as of the way to the server. */
export function toRefusal(kind: StartupErrorKind, what: string, error: unknown, advice: string): StartupError {
  return isRefusal(error) ? new StartupError(kind, `${what}: ${error.message}. ${advice}`, error) : toNatsError(error)
}

/** For `catch`: undefined for a stream or a consumer that is not there. Throws anything else. */
export function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && ['StreamNotFoundError', 'ConsumerNotFoundError'].includes(error.name)) return undefined
  throw error
}
