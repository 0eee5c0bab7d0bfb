// The engine of every kind of work: takes a due job under a lease, runs it, and records the result. A crash at any point leaves the row: its lease
// ends, and another worker runs the job again.
import type { StorelessCore } from '#core/context.ts'
import { workAttempts, workDelay, workDuration } from '#core/platform/metrics/metrics.ts'
import { inSpan, type Span } from '#core/platform/trace/spans.ts'
import { type HeldLeases, holdLease, LEASE_SECONDS } from './hold-lease.ts'
import { leaseDueJob, recordFailure, releaseLease, renewLease } from './job-store.ts'
import type { Job, JobHandler, JobRef } from './job.ts'
import { killsWorkers, lostAttempts } from './rules.ts'

type WorkCore = Pick<StorelessCore, 'database' | 'log'>

/** Runs the wanted job, or without one the job that has been due longest. False when none was due or none can succeed now. A failed attempt is
 *  recorded with the time of the next and not thrown; only a database error is. The lease is in `held` meanwhile. Needs the system role. */
export async function runNextJob<OfKind extends Job>(
  core: WorkCore,
  handler: JobHandler<OfKind>,
  wanted?: JobRef,
  held: HeldLeases = new Set(),
): Promise<boolean> {
  if (handler.canRun?.() === false) return false
  const job = await leaseDueJob<OfKind>(core.database, handler.kind, LEASE_SECONDS, wanted)
  if (!job) return false
  const lease = {
    renew: () => renewLease(core.database, handler.kind, job, LEASE_SECONDS),
    release: () => releaseLease(core.database, handler.kind, job),
  }
  await runLeasedJob(core, handler, job, (work) => holdLease(lease, core.log, held, work))
  return true
}

/** Runs one job that the caller has leased; otherwise as `runNextJob`. `hold` is absent when the caller holds the lease itself. */
export async function runLeasedJob<OfKind extends Job>(
  core: WorkCore,
  handler: JobHandler<OfKind>,
  job: OfKind,
  hold: Hold = (work) => work(),
): Promise<void> {
  const { span } = handler
  const attributes = { 'sealwright.attempt': job.attempts, ...span.attributes(job) }
  await inSpan(span.name, { parent: job.traceParent, attributes }, (open) => runJob(core, handler, job, { hold, span: open }))
}

/** Runs the work and holds the lease of its job meanwhile. */
type Hold = <Result>(work: () => Promise<Result>) => Promise<Result>

/** `superseded`: another worker took over or finished the job first, or it was dropped. */
type Outcome = 'done' | 'failed' | 'dead_lettered' | 'superseded'

async function runJob<OfKind extends Job>(
  core: WorkCore,
  handler: JobHandler<OfKind>,
  job: OfKind,
  { hold, span }: { hold: Hold; span: Span },
): Promise<void> {
  const kind = handler.kind.name
  const startedAt = performance.now()
  const end = workDuration.startTimer({ kind })
  const outcome = await perform(handler, job, hold).catch((error: unknown) => recordFailed(core, handler, job, error))
  if (outcome === 'done') workDelay.observe({ kind }, job.waitedSeconds + (performance.now() - startedAt) / 1000)
  if (outcome === 'superseded') core.log.info({ kind, orgId: job.orgId, jobId: job.id, attempts: job.attempts }, 'job.superseded')
  span.setAttribute('sealwright.outcome', outcome)
  end({ outcome })
  workAttempts.inc({ kind, outcome })
}

async function perform<OfKind extends Job>({ perform: run }: JobHandler<OfKind>, job: OfKind, hold: Hold): Promise<Outcome> {
  if (killsWorkers(job)) throw new JobLostError(lostAttempts(job))
  const result = await hold(() => run(job))
  if (result === 'failed') return 'failed'
  return result ? 'done' : 'superseded'
}

async function recordFailed<OfKind extends Job>(
  { database, log }: WorkCore,
  handler: JobHandler<OfKind>,
  job: OfKind,
  error: unknown,
): Promise<Outcome> {
  const { orgId, id, attempts, failures, outages } = job
  const isLost = error instanceof JobLostError
  const isTransient = !isLost && handler.isTransient(error)
  const isFinal = isLost || handler.isFinal?.(error) === true
  const isDead = !isTransient && (isFinal || failures + 1 >= handler.maxFailures)
  const delaySeconds = handler.backoffSeconds(isTransient ? outages : failures, isTransient)
  const message = error instanceof Error ? error.message : String(error)
  log.warn({ err: error, kind: handler.kind.name, orgId, jobId: id, attempts, isDead, delaySeconds }, 'job.failed')
  const failed = { error: message, isTransient, isDead, delaySeconds }
  if (!(await recordFailure(database, handler.kind, job, failed))) return 'superseded'
  return isDead ? 'dead_lettered' : 'failed'
}

/** The job may be what kills the processes that take it. */
class JobLostError extends Error {
  constructor(attempts: number) {
    super(`${attempts} attempts ended without a result: their workers ended, or lost the database.`)
  }
}
