// Runs tasks on hostile files in processes without secrets, which may be lost: like core/platform/threads, with a wall. A process serves one task after
// the other; one that ends is replaced.
import type { SemaphoreCaller } from '#core/platform/threads/semaphore.ts'
import { openTaskQueue, type Outcome, type QueueOptions } from '#core/platform/threads/task-queue.ts'
import { waitAtMost } from '#core/platform/process/with-timeout.ts'
import { type RunnerOptions, startRunner, type TaskRunner } from './task-runner.ts'

export interface ProcessPoolOptions extends QueueOptions, RunnerOptions {
  readonly processes: number
}

export interface ProcessPool<Task, Answer> {
  /** Starts the first process, if none runs: its start takes a quarter of a second, in which the file may still be on its way. */
  prepare(): void
  /**
   * Runs the task with a `path` of this file, which it can change and which has to be in the pool's folder, or on the same file system. Rejects as
   * ThreadPool does, and with SERVICE_UNAVAILABLE when the process ends for no reason of the task.
   */
  run(file: string, task: Task, caller?: SemaphoreCaller): Promise<Outcome<Answer>>
  /** Rejects new and waiting tasks and gives the running ones 5 s. */
  close(): Promise<void>
}

const CLOSE_WITHIN_MS = 5000
/** How long an extra process waits for its next task. */
const IDLE_MS = 60_000

/** The first task, or `prepare`, starts a process, which stays; the others start when it is busy, and end after an idle time. */
export function openProcessPool<Task extends object, Answer>(options: ProcessPoolOptions): ProcessPool<Task, Answer> {
  const queue = openTaskQueue(options.processes, options)
  const runners = new Set<TaskRunner<Task, Answer>>()
  const idle = new Set<TaskRunner<Task, Answer>>()
  let closed = false
  let ahead: Promise<void> | undefined
  const start = async (): Promise<TaskRunner<Task, Answer>> => {
    const runner = await startRunner<Task, Answer>(options)
    runners.add(runner)
    void runner.ended.then(() => {
      runners.delete(runner)
      idle.delete(runner)
    })
    return runner
  }
  const giveBack = (runner: TaskRunner<Task, Answer>): void => {
    if (!runner.isUsable()) return
    idle.add(runner)
    setTimeout(() => runners.size > 1 && idle.delete(runner) && void runner.stop(), IDLE_MS).unref()
  }
  const take = async (): Promise<TaskRunner<Task, Answer>> => {
    await ahead
    const runner = [...idle].find((each) => each.isUsable())
    if (runner === undefined) return start()
    idle.delete(runner)
    return runner
  }
  return {
    prepare() {
      if (closed || runners.size > 0 || ahead !== undefined) return
      // After a failure the next task starts one, and gets its error.
      const started = start().then(giveBack, () => {})
      ahead = started.finally(() => (ahead = undefined))
    },
    run(file, task, caller) {
      return queue.run(async () => {
        const runner = await take()
        try {
          return await runner.run(file, task, caller?.signal)
        } finally {
          giveBack(runner)
        }
      }, caller)
    },
    async close() {
      await waitAtMost(queue.close(), CLOSE_WITHIN_MS)
      closed = true
      await ahead
      await Promise.all([...runners].map((runner) => runner.stop()))
    },
  }
}
