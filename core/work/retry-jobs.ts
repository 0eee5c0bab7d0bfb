// Retries failed jobs, with their counts at zero.
import type { Core } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { insertOutbox } from '#core/messaging/outbox-store.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { type JobChoice, resetJobs } from './job-store.ts'
import { type WorkKind, jobMessage } from './job.ts'

export type { JobChoice }

/** Records, in the transaction, that an operator retried so many jobs of an organisation. */
export type RecordRetry = (sql: Sql, orgId: OrgId, jobs: number) => Promise<void>

/** Returns how many jobs are due now. Needs a database of the system role. */
export async function retryJobs(
  core: Pick<Core, 'database'>,
  kind: WorkKind,
  choice: JobChoice,
  record: RecordRetry,
): Promise<number> {
  return inTransaction(core.database, async (sql) => {
    const reset = await resetJobs(sql, kind, choice)
    for (const [orgId, jobs] of Map.groupBy(reset, (job) => job.orgId)) {
      await insertOutbox(sql, orgId, ...jobs.map((job) => ({ ...jobMessage(kind, job), traceParent: job.traceParent })))
      await record(sql, orgId, jobs.length)
    }
    return reset.length
  })
}
