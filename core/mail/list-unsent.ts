// Which mails have not gone out, and why.
import type { Core } from '#core/context.ts'
import { listUnsent as selectUnsent, type UnsentMailRow } from './unsent-store.ts'

export interface UnsentMail extends Omit<UnsentMailRow, 'state'> {
  /** `waiting`: due, being sent, or put off to a later hour; `failed, will retry`: at dueAt; `stuck`: set aside until somebody retries it. */
  state: 'waiting' | 'failed, will retry' | 'stuck'
}

/** Oldest first; with `stuck`, only what will not be tried again by itself. Needs a database of the system role. */
export async function listUnsent(core: Pick<Core, 'database'>, options: { stuck: boolean }): Promise<UnsentMail[]> {
  const rows = await selectUnsent(core.database, options)
  return rows.map((row) => ({ ...row, state: stateOf(row) }))
}

function stateOf({ state, lastError }: UnsentMailRow): UnsentMail['state'] {
  if (state === 'PARKED') return 'stuck'
  return lastError === null ? 'waiting' : 'failed, will retry'
}
