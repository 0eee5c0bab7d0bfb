// A worker for one kind of work: runs jobs as notifications arrive, and polls for those without one.
import type { Notifier } from '#core/messaging/notifier.ts'
import { JobRequested, type JobRef, type WorkKind } from '#core/work/job.ts'
import type { StorelessCore } from '#core/context.ts'
import { type HeldLeases, releaseLeases } from '#core/work/hold-lease.ts'
import { startConsumer } from './consume.ts'
import { joinLoops } from './join-loops.ts'
import type { Loop } from './loop.ts'
import { startRecordingCosts } from './record-costs.ts'

const POLL_MS = 2_000

export interface WorkerOptions {
  core: Pick<StorelessCore, 'database' | 'log'>
  kind: WorkKind
  notifier: Notifier
  /** Jobs at a time. */
  concurrency: number
  /** Runs the given job, or without one the job that has been due longest; false when none was due. */
  runNext: (wanted: JobRef | undefined, held: HeldLeases) => Promise<boolean>
}

/** Runs until disposed. */
export function startWorker({ core, kind, notifier, concurrency, runNext }: WorkerOptions): Loop {
  const held: HeldLeases = new Set()
  const consumer = startConsumer({
    name: kind.name,
    notifier,
    subject: kind.subject,
    message: JobRequested,
    concurrency,
    pollMs: POLL_MS,
    log: core.log,
    work: (wanted) => runNext(wanted, held),
  })
  const worker = { ...consumer, releaseLease: () => releaseLeases(held) }
  return joinLoops(worker, startRecordingCosts(core, kind, concurrency))
}
