// A failed attempt in responses.
import { describeFailure } from '#core/webhook/request/describe-failure.ts'
import type { AttemptFailure } from '#core/webhook/failure.ts'

/** What attempts and tests of webhooks have in common. */
export function toFailureFields(failure: AttemptFailure): { error: string; errorCode: string; errorDetail?: string } {
  const { code, detail } = failure
  return { error: describeFailure(failure, 'en'), errorCode: code, ...(detail !== undefined && { errorDetail: detail }) }
}
