// What waits to be sealed, and why it does.
import type { Core } from '#core/context.ts'
import { listUnsealed as selectUnsealed, type SealStatusRow } from './store.ts'

export interface SealStatus extends Omit<SealStatusRow, 'state'> {
  /** `waiting`: due, or running; `failed, will retry`: at dueAt; `stuck`: set aside until somebody retries it. */
  state: 'waiting' | 'failed, will retry' | 'stuck'
}

/** Oldest first; with `stuck`, only what will not be tried again by itself. Needs a database of the system role. */
export async function listUnsealed(core: Pick<Core, 'database'>, options: { stuck: boolean }): Promise<SealStatus[]> {
  const rows = await selectUnsealed(core.database)
  const statuses = rows.map((row) => ({ ...row, state: stateOf(row) }))
  return options.stuck ? statuses.filter(({ state }) => state === 'stuck') : statuses
}

function stateOf({ state, lastError }: SealStatusRow): SealStatus['state'] {
  if (state === 'PARKED') return 'stuck'
  return lastError === null ? 'waiting' : 'failed, will retry'
}
