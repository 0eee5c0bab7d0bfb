// What a rule answers, so that what it allows and what it refuses stand in one table.
import type { ErrorCode } from '#core/platform/errors/codes.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'

/** The value that the rule returns, or the code of the DomainError it throws. Any other error goes on. */
export function answerOf<T>(rule: () => T): T | ErrorCode {
  try {
    return rule()
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

/** The DomainError that the rule throws. Throws when it throws none. */
export function refusalOf(rule: () => unknown): DomainError {
  try {
    rule()
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
  throw new Error('The rule refused nothing.')
}
