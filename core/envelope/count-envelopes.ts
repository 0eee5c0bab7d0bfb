// Counts the envelopes that a caller may read by status.
import type { Caller, Core } from '#core/context.ts'
import type { WorkspaceId } from '#core/ids.ts'
import { queryInOrganisation } from '#core/platform/postgres/client.ts'
import type { EnvelopeStatus } from './rules.ts'
import { selectStatusCounts } from './search.ts'

export type EnvelopeCounts = Record<EnvelopeStatus | 'total', number>

/** One counter per status and their sum; all are 0 for a workspace that the caller cannot read. */
export async function countEnvelopes(
  core: Pick<Core, 'database'>,
  caller: Caller,
  workspaceId: WorkspaceId | undefined,
): Promise<EnvelopeCounts> {
  const rows = await queryInOrganisation(core.database, caller.orgId, (sql) => selectStatusCounts(sql, caller, { workspaceId }))
  const counts: EnvelopeCounts = { DRAFT: 0, SENT: 0, IN_PROGRESS: 0, COMPLETED: 0, CANCELLED: 0, EXPIRED: 0, total: 0 }
  for (const { status, count } of rows) {
    counts[status] = count
    counts.total += count
  }
  return counts
}
