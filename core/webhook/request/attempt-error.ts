// Errors that end an attempt. Any other error is our own fault and not a result of the attempt.
import type { AttemptFailure } from '../failure.ts'

/** The attempt failed, for this reason. */
export class AttemptError extends Error {
  readonly failure: AttemptFailure

  constructor(failure: AttemptFailure, cause?: unknown) {
    super(failure.code, { cause })
    this.name = 'AttemptError'
    this.failure = failure
  }
}

/** The error's system or library code, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** This machine lacks files, memory or sockets. */
const OUR_SHORTAGE: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])

/** Whether the error is a shortage of this machine, for which the receiver must not be charged. */
export function isOurShortage(error: unknown): boolean {
  return OUR_SHORTAGE.has(codeOf(error))
}
