// Shapes of single fields. Text is accepted unchanged or rejected, never truncated or repaired.
import { MAX_EMAIL_CHARACTERS, MAX_NAME_CHARACTERS, MAX_SIGN_ORDER } from '#core/limits.ts'
import { toVisibleLine } from '#core/platform/text/visible-text.ts'
import { z } from 'zod'

/** Text of 1 to `most` characters (code points) that Postgres and email can carry unchanged. */
export function text(most: number, least = 1) {
  return z
    .string()
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be well-formed Unicode without NUL')
    .refine((value) => Array.from(value).length >= least, 'must not be empty')
    .refine((value) => Array.from(value).length <= most, `must have at most ${most} characters`)
    .meta({ ...(least > 0 && { minLength: least }), maxLength: most })
}

/** Characters that render as nothing or as a blank. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu

/** The name of a workspace, a credential or a person: at least one character is visible. */
export const Name = text(MAX_NAME_CHARACTERS)
  .refine((value) => toVisibleLine(value.replaceAll(UNSEEN, '')) !== '', {
    error: 'must not be blank',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({ minLength: 1, maxLength: MAX_NAME_CHARACTERS })

// One plain address: no display name, list, comment or quoted local part.
const EMAIL =
  /^[^\s@"<>(),:;\\[\]\p{Cc}\p{Cf}\p{Cs}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

export const Email = z
  .string()
  .max(MAX_EMAIL_CHARACTERS, `must have at most ${MAX_EMAIL_CHARACTERS} characters`)
  .regex(EMAIL, 'must be a single email address')
  // Published as a format: few regular expression engines outside JavaScript support Unicode classes.
  .meta({ format: 'email', pattern: undefined, minLength: 3 })

export const SignerName = text(MAX_NAME_CHARACTERS)
export const SignOrder = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MAX_SIGN_ORDER, `must be at most ${MAX_SIGN_ORDER}`)
  .meta({ format: 'int32' })

/** An instant with its UTC offset. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date-time with an offset' })
  .transform((value) => new Date(value))

/** Postgres and JSON write years outside this range differently. */
export const KeptInstant = Instant.refine(
  (at) => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999,
  'must be in the years 1 to 9999',
)
