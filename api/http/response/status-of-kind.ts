// The HTTP status of each kind of error. Spec, "Errors".
import type { ErrorKind } from '#core/platform/errors/codes.ts'

/** Total over the kinds, so that a new kind cannot lack a status. */
export const STATUS_OF_KIND: Record<ErrorKind, number> = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  too_large: 413,
  media_type: 415,
  misdirected: 421,
  rule: 422,
  limit: 429,
  unavailable: 503,
}
