// What a password has to be, as the service judges it: long, and anything else goes (NIST SP 800-63B-4, 3.1.1.2).
import { texts } from '../locales/texts.ts'

export const MIN_PASSWORD_CHARACTERS = 12
const MAX_PASSWORD_CHARACTERS = 128

/** Its sentence, or nothing. */
export function passwordFault(password: string): string | undefined {
  const characters = Array.from(password).length
  if (characters < MIN_PASSWORD_CHARACTERS) return texts.setup.tooShort(MIN_PASSWORD_CHARACTERS)
  return characters > MAX_PASSWORD_CHARACTERS ? texts.setup.tooLong(MAX_PASSWORD_CHARACTERS) : undefined
}
