// The password rules of the service: a minimum length and no composition rules (NIST SP 800-63B-4, 3.1.1.2).
import { texts } from '../locales/texts.ts'

export const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 128

/** The message for an invalid password, or undefined. */
export function passwordFault(password: string): string | undefined {
  const characters = Array.from(password).length
  if (characters < MIN_PASSWORD_CHARACTERS) return texts.setup.tooShort(MIN_PASSWORD_CHARACTERS)
  return characters > MAX_PASSWORD_CHARACTERS ? texts.setup.tooLong(MAX_PASSWORD_CHARACTERS) : undefined
}
