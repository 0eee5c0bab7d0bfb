// Lists the unfinished jobs and their errors.
import type { Core } from '#core/context.ts'
import { listUnfinishedJobs, type UnfinishedJobRow } from './job-store.ts'
import type { WorkKind } from './job.ts'

export interface UnfinishedJob extends Omit<UnfinishedJobRow, 'state'> {
  kind: string
  /** `waiting`: due, running, or due at a later hour. `failed, will retry`: at dueAt. `stuck`: dead-lettered until an operator retries it. */
  state: 'waiting' | 'failed, will retry' | 'stuck'
}

/** Oldest first, with the status columns of the kind; with `stuck`, only dead-lettered ones. Needs a database of the system role. */
export async function listJobs(
  core: Pick<Core, 'database'>,
  kind: WorkKind,
  options: { stuck: boolean },
): Promise<UnfinishedJob[]> {
  const rows = await listUnfinishedJobs(core.database, kind, options)
  return rows.map((row) => ({ kind: kind.name, ...row, state: stateOf(row) }))
}

function stateOf({ state, lastError }: UnfinishedJobRow): UnfinishedJob['state'] {
  if (state === 'DEAD') return 'stuck'
  return lastError === null ? 'waiting' : 'failed, will retry'
}
