// What can be said about a field before the service is asked, in the same terms as the service. Pure; each rule gives its sentence or nothing.
import { texts } from '../locales/texts.ts'

const MAX_NAME_CHARACTERS = 255
const MAX_EMAIL_CHARACTERS = 254
const EMAIL = /^[^\s@"<>(),:;\\[\]]{1,64}@[^\s@]+\.[^\s@.]{2,63}$/u

/** A name as the service takes it. */
export function nameFault(name: string): string | undefined {
  if (name.trim() === '') return texts.words.required
  return Array.from(name).length > MAX_NAME_CHARACTERS ? texts.words.tooLong(MAX_NAME_CHARACTERS) : undefined
}

/** One complete address; what only looks like one is the service's to refuse. */
export function emailFault(email: string): string | undefined {
  if (email.trim() === '') return texts.words.required
  return email.length > MAX_EMAIL_CHARACTERS || !EMAIL.test(email) ? texts.words.emailInvalid : undefined
}
