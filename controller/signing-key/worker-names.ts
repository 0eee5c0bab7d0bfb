// Workers in sentences. Pure.

const SHOWN = 10

/** Their names, but not hundreds. */
export function namesOf(workers: readonly string[]): string {
  const more = workers.length - SHOWN
  return workers.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
