// A worker for one kind of work: runs jobs as notifications arrive, and polls for those without one.
import type { Notifier } from '#core/messaging/notifier.ts'
import { JobRequested, type JobRef, type WorkKind } from '#core/work/job.ts'
import type { Logger } from '#core/platform/log.ts'
import { type HeldLeases, releaseLeases } from '#core/work/hold-lease.ts'
import { startConsumer } from './consume.ts'
import type { Loop } from './loop.ts'

const POLL_MS = 2_000

export interface WorkerOptions {
  kind: WorkKind
  notifier: Notifier
  /** Jobs at a time. */
  concurrency: number
  log: Logger
  /** Runs the given job, or without one the job that has been due longest; false when none was due. */
  runNext: (wanted: JobRef | undefined, held: HeldLeases) => Promise<boolean>
}

/** Runs until disposed. */
export function startWorker({ kind, notifier, concurrency, log, runNext }: WorkerOptions): Loop {
  const held: HeldLeases = new Set()
  const consumer = startConsumer({
    name: kind.name,
    notifier,
    subject: kind.subject,
    message: JobRequested,
    concurrency,
    pollMs: POLL_MS,
    log,
    work: (wanted) => runNext(wanted, held),
  })
  return { ...consumer, releaseLease: () => releaseLeases(held) }
}
