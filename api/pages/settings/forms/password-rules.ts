// Validation of password fields. The service requires a minimum length and has no composition rules (NIST SP 800-63B-4, 3.1.1.2). Pure.
import { texts } from '../locales/texts.ts'

export const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 128

/** The message for an invalid password, or undefined. */
export function passwordError(password: string): string | undefined {
  const characters = Array.from(password).length
  if (characters < MIN_PASSWORD_CHARACTERS) return texts.setup.tooShort(MIN_PASSWORD_CHARACTERS)
  return characters > MAX_PASSWORD_CHARACTERS ? texts.setup.tooLong(MAX_PASSWORD_CHARACTERS) : undefined
}

/** The messages for the password form's fields, from the code of a rejected change. */
export function passwordErrors(code: string | undefined): Readonly<Record<string, string>> {
  if (code === 'PASSWORD_WRONG') return { currentPassword: texts.errors.byCode.PASSWORD_WRONG }
  return code === 'PASSWORD_TOO_WEAK' ? { newPassword: texts.errors.byCode.PASSWORD_TOO_WEAK } : {}
}
