// Reads which controller leads.
import type { StorelessCore } from '#core/context.ts'
import { selectTransitions } from './leader-store.ts'

/** The number of the controller that led last; 0 before the first. Needs the system role. */
export async function readTransitions({ database }: Pick<StorelessCore, 'database'>): Promise<number> {
  return (await selectTransitions(database)) ?? 0
}
