// A controller begins to lead.
import type { StorelessCore } from '#core/context.ts'
import { FencedError } from './fence.ts'
import { selectTransitions, upsertLeader } from './leader-store.ts'

/** From its return on, no controller with a lower number changes anything. Repeating it is free. Throws FencedError for a number below the recorded one, and
 *  for the recorded one of another holder. Needs the system role. */
export async function takeLeadership(
  { database }: Pick<StorelessCore, 'database'>,
  { transitions, holder }: { transitions: number; holder: string },
): Promise<void> {
  if (await upsertLeader(database, transitions, holder)) return
  throw new FencedError({ transitions }, await selectTransitions(database))
}
