// The queue before a pool of threads or processes, with its metrics. A task counts as running from the moment that it has a place.
import { threadPoolRunning, threadPoolTasks, threadPoolWaiting } from '#core/platform/metrics/metrics.ts'
import { openSemaphore, type SemaphoreCaller } from './semaphore.ts'

export type PoolName = 'inspection' | 'drawing' | 'verification' | 'sealing' | 'report' | 'key'

export interface QueueOptions {
  /** The label in metrics. */
  readonly pool: PoolName
  /** How many tasks of one owner run at once; absent: as many as there are places. */
  readonly tasksPerOwner?: number
  /** More waiting tasks of one owner than this are rejected. */
  readonly maxWaiting: number
  /** A task that has waited this long is rejected; absent: no limit. */
  readonly waitSeconds?: number
}

/** The answer of the task, or the reason why its thread or process was terminated: out of time, or out of memory. */
export type Outcome<Answer> = { readonly finished: true; readonly answer: Answer } | { readonly finished: false }

export interface TaskQueue {
  /** Does the work once there is a place; owners take turns. Rejects with SERVICE_UNAVAILABLE when too many tasks of this owner wait or this one has
   *  waited too long, with the signal's reason when it is aborted meanwhile, and as the work does. */
  run<Answer>(work: () => Promise<Outcome<Answer>>, caller?: SemaphoreCaller): Promise<Outcome<Answer>>
  /** Rejects new and waiting tasks, and resolves when none runs. */
  close(): Promise<void>
}

const RETRY_AFTER_SECONDS = 5

export function openTaskQueue(places: number, { pool, tasksPerOwner, maxWaiting, waitSeconds }: QueueOptions): TaskQueue {
  const count = (outcome: string): void => threadPoolTasks.inc({ pool, outcome })
  const semaphore = openSemaphore({
    places,
    placesPerOwner: tasksPerOwner,
    maxWaiting,
    waitSeconds,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    onRefused: () => count('refused'),
  })
  const acquire = async (caller: SemaphoreCaller | undefined): Promise<() => void> => {
    threadPoolWaiting.inc({ pool })
    try {
      return await semaphore.acquire(caller)
    } finally {
      threadPoolWaiting.dec({ pool })
    }
  }
  return {
    async run(work, caller) {
      const release = await acquire(caller)
      threadPoolRunning.inc({ pool })
      try {
        const outcome = await work()
        count(outcome.finished ? 'finished' : 'lost')
        return outcome
      } catch (error) {
        // A caller that went away is no failure of the task.
        if (caller?.signal?.aborted !== true) count('failed')
        throw error
      } finally {
        threadPoolRunning.dec({ pool })
        release()
      }
    },
    close: () => semaphore.close(),
  }
}
