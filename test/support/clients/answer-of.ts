// Turns a rule's result into a value, so that allowed and refused cases fit into one table.
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'

/** The rule's return value, or the code of the DomainError that it throws. Other errors are rethrown. */
export function answerOf<T>(rule: () => T): T | ErrorCode {
  try {
    return rule()
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

/** The DomainError that the rule throws. Throws when there is none. */
export function refusalOf(rule: () => unknown): DomainError {
  try {
    rule()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
  throw new Error('The rule refused nothing.')
}
