// Binds the encrypted secret of a second factor to its person.
import type { PersonId } from '#core/ids.ts'

/** For `seal` and `open`. */
export function factorContext(personId: PersonId): string {
  return `second factor ${personId}`
}
