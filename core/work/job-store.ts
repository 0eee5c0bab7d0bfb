// The SQL of jobs, the same for every kind.
import { type OrgId } from '#core/ids.ts'
import { commitAsynchronously } from '#core/platform/postgres/before-commit.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { Job, JobRef, WorkKind } from './job.ts'

/** The lease of one worker on one job. */
export type LeaseRef = Pick<Job, 'orgId' | 'id' | 'attempts'>

/** Takes the job that has been due longest, or the wanted one if it is due, and holds it under a lease. */
export async function leaseDueJob<OfKind extends Job>(
  sql: Sql,
  kind: WorkKind,
  leaseSeconds: number,
  wanted?: JobRef,
): Promise<OfKind | undefined> {
  const id = sql(kind.idColumn)
  const details = kind.details?.(sql)
  const [row] = await sql<OfKind[]>`
    with due as (
      select j.org_id, j.${id}
      from ${sql(kind.table)} j
      where j.state = 'WAITING' and j.due_at <= sealwright_now() and (j.leased_until is null or j.leased_until <= sealwright_now())
        ${kind.dueWhen?.(sql) ?? sql``} ${wanted ? sql`and j.org_id = ${wanted.orgId} and j.${id} = ${wanted.id}` : sql``}
      order by j.due_at
      limit 1
      for update skip locked
    ), leased as (
      update ${sql(kind.table)} j
      set attempts = j.attempts + 1, leased_until = sealwright_now() + make_interval(secs => ${leaseSeconds})
      from due
      where j.org_id = due.org_id and j.${id} = due.${id}
      returning j.*
    )
    select j.org_id, j.${id} as id, j.attempts, j.failures, j.outages, j.released, j.trace_parent, sealwright_now() as taken_at,
      extract(epoch from sealwright_now() - j.wanted_at)::float8 as waited_seconds, ${details ? sql`${details.columns},` : sql``}
      ${commitAsynchronously(sql)}
    from leased j ${details?.joins ?? sql``}`
  return row
}

/** Keeps the lease unless another worker has taken the job since; also for a job that was dropped meanwhile, so that nothing it uses is erased. */
export async function renewLease(sql: Sql, kind: WorkKind, lease: LeaseRef, leaseSeconds: number): Promise<void> {
  await sql`
    update ${sql(kind.table)}
    set leased_until = sealwright_now() + make_interval(secs => ${leaseSeconds})
    where ${isLeased(sql, kind, lease)} and state in ('WAITING', 'DROPPED')`
}

/** Frees the job for another worker. A dropped job stays leased until its lease ends, because its worker may still run. */
export async function releaseLease(sql: Sql, kind: WorkKind, lease: LeaseRef): Promise<void> {
  await sql`
    update ${sql(kind.table)}
    set released = released + 1, leased_until = null
    where ${isLeased(sql, kind, lease)} and state = 'WAITING'`
}

function isLeased(sql: Sql, { idColumn }: WorkKind, { orgId, id, attempts }: LeaseRef) {
  return sql`org_id = ${orgId} and ${sql(idColumn)} = ${id} and attempts = ${attempts} and leased_until is not null`
}

/** False when the job was done or dropped before, so that its consequences happen once. */
export async function markJobDone(sql: Sql, kind: WorkKind, { orgId, id }: JobRef): Promise<boolean> {
  const rows = await sql`
    update ${sql(kind.table)}
    set state = 'DONE', done_at = sealwright_now(), leased_until = null, last_error = null ${kind.atEnd?.(sql) ?? sql``}
    where org_id = ${orgId} and ${sql(kind.idColumn)} = ${id} and state in ('WAITING', 'DEAD')
    returning org_id`
  return rows.length > 0
}

export interface FailedAttempt {
  error: string
  isTransient: boolean
  /** True: no further attempt is made. */
  isDead: boolean
  delaySeconds: number
}

/** Records a failed attempt. False, and nothing recorded, when the worker no longer holds the lease. */
export async function recordFailure(sql: Sql, kind: WorkKind, lease: LeaseRef, failed: FailedAttempt): Promise<boolean> {
  const { error, isTransient, isDead, delaySeconds } = failed
  const rows = await sql`
    update ${sql(kind.table)}
    set state = ${isDead ? 'DEAD' : 'WAITING'}, last_error = ${error}, leased_until = null,
      ${isTransient ? sql`outages = outages + 1` : sql`failures = failures + 1`},
      due_at = sealwright_now() + make_interval(secs => ${delaySeconds})
    where ${isLeased(sql, kind, lease)} and state = 'WAITING'
    returning org_id`
  return rows.length > 0
}

/** One job by its id, or every failed job: of an organisation's envelope, or of the installation. */
export type JobChoice = { id: string } | { envelopeId: string } | 'all'

export interface ResetJob extends JobRef {
  traceParent: string | null
}

/** Makes jobs due now with their counts at zero. Skips a job that a worker holds now. */
export async function resetJobs(sql: Sql, kind: WorkKind, choice: JobChoice): Promise<ResetJob[]> {
  const id = sql(kind.idColumn)
  const hasFailed = sql`(state = 'DEAD' or (state = 'WAITING' and last_error is not null))`
  const isChosen =
    choice === 'all'
      ? hasFailed
      : 'id' in choice
        ? sql`state in ('WAITING', 'DEAD') and ${id} = ${choice.id}`
        : sql`${hasFailed} and envelope_id = ${choice.envelopeId}`
  return sql<ResetJob[]>`
    update ${sql(kind.table)}
    set state = 'WAITING', attempts = 0, failures = 0, outages = 0, released = 0, due_at = sealwright_now(), leased_until = null,
      last_error = null
    where ${isChosen} and (leased_until is null or leased_until <= sealwright_now())
    returning org_id, ${id} as id, trace_parent`
}

export interface UnfinishedJobRow {
  orgId: OrgId
  id: string
  state: 'WAITING' | 'DEAD'
  attempts: number
  wantedAt: Date
  dueAt: Date
  lastError: string | null
}

/** Unfinished jobs, or only dead-lettered ones; oldest first. */
export async function listUnfinishedJobs(sql: Sql, kind: WorkKind, { stuck }: { stuck: boolean }): Promise<UnfinishedJobRow[]> {
  return sql<UnfinishedJobRow[]>`
    select j.org_id, j.${sql(kind.idColumn)} as id, ${kind.statusColumns(sql)}, j.state, j.attempts, j.wanted_at, j.due_at, j.last_error
    from ${sql(kind.table)} j
    where j.state = 'DEAD' ${stuck ? sql`` : sql`or j.state = 'WAITING'`}
    order by j.wanted_at, j.${sql(kind.idColumn)}`
}
