// Validation before the request, with the same rules as the service. Pure; each rule returns its message or undefined.
import { texts } from '../locales/texts.ts'

const MAX_NAME_CHARACTERS = 255
const MAX_EMAIL_CHARACTERS = 254
const EMAIL = /^[^\s@"<>(),:;\\[\]]{1,64}@[^\s@]+\.[^\s@.]{2,63}$/u

/** Validates a name. */
export function nameError(name: string): string | undefined {
  if (name.trim() === '') return texts.words.required
  return Array.from(name).length > MAX_NAME_CHARACTERS ? texts.words.tooLong(MAX_NAME_CHARACTERS) : undefined
}

/** Validates an email address roughly; the service validates it strictly. */
export function emailError(email: string): string | undefined {
  if (email.trim() === '') return texts.words.required
  return email.length > MAX_EMAIL_CHARACTERS || !EMAIL.test(email) ? texts.words.emailInvalid : undefined
}
