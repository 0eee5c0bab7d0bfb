// What the engine knows of a kind of work. The jobs of a kind are the rows of one table, of which the engine owns these columns:
// state, attempts, failures, outages, released, due_at, wanted_at, leased_until, last_error, done_at, trace_parent. All others are the kind's.
// States: HELD is not wanted yet; WAITING is due or runs under a lease; DONE; DEAD is dead-lettered; DROPPED is no longer wanted.
import { z } from 'zod'
import { OrgId } from '#core/ids.ts'
import type { OutboxMessage } from '#core/messaging/outbox-store.ts'
import type { Subject } from '#core/messaging/subjects.ts'
import type { Fragment, Sql } from '#core/platform/postgres/sql.ts'

export interface JobRef {
  orgId: OrgId
  id: string
}

/** A job as a worker takes it. */
export interface Job extends JobRef {
  /** Incremented before the work. Each lease has its own number, which identifies a late worker. */
  attempts: number
  /** Attempts that failed because of the job itself. */
  failures: number
  /** Attempts that met a transient error. */
  outages: number
  /** Attempts whose lease a stopping worker released. */
  released: number
  /** Time by the database clock. */
  takenAt: Date
  /** Since the job was wanted. */
  waitedSeconds: number
  traceParent: string | null
}

export interface WorkKind {
  /** Label of metrics, log lines and the command line. */
  name: string
  /** The role of worker processes that runs it; label of the autoscaling signal. */
  role: 'mail' | 'seal' | 'deliver'
  table: string
  /** The column that identifies a job within its organisation. */
  idColumn: string
  /** The subject of its notifications. */
  subject: Subject
  /** A further condition for a due job `j`; begins with `and`. */
  dueWhen?: (sql: Sql) => Fragment
  /** What `perform` needs besides the engine's columns, for a leased job `j`. */
  details?: (sql: Sql) => { columns: Fragment; joins: Fragment }
  /** Further assignments of the statement that ends a job; each begins with a comma. */
  atEnd?: (sql: Sql) => Fragment
  /** Further columns of the status command, for a job `j`. */
  statusColumns: (sql: Sql) => Fragment
}

/** How the jobs of a kind are run. */
export interface JobHandler<OfKind extends Job> {
  kind: WorkKind
  /** Name and attributes of the span of one attempt. */
  span: { name: string; attributes: (job: OfKind) => Record<string, string | number> }
  /** False while no job can succeed, so that none is tried. */
  canRun?: () => boolean
  /** Does the work and records its end. False when another worker was first or the job is no longer wanted; throws when it fails, or answers 'failed' when
   *  it has recorded the failure itself. Has to be idempotent. */
  perform: (job: OfKind) => Promise<boolean | 'failed'>
  /** True for an error that is not about the job, such as an unavailable server: such attempts do not count as failures. */
  isTransient: (error: unknown) => boolean
  /** True for an error that no retry can fix. */
  isFinal?: (error: unknown) => boolean
  /** Failures of one job after which it is dead-lettered. */
  maxFailures: number
  /** Seconds until the next attempt. `earlier`: how often the job has failed before in the same way. */
  backoffSeconds: (earlier: number, isTransient: boolean) => number
}

/** The body of a notification that a job is due: ids only, which the worker validates, because other programs may publish on the subject. */
export const JobRequested = z.object({ orgId: OrgId, id: z.guid() })

/** The notification for `insertOutbox`, in the transaction that makes the job due. Notifications about the same job keep their order. */
export function jobMessage({ subject }: WorkKind, { orgId, id }: JobRef): OutboxMessage {
  return { orderKey: id, subject, body: { orgId, id } }
}
