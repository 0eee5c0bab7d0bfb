// Runs tasks on threads that may be lost: a task that takes too long or too much memory is terminated with its thread, which is replaced; other tasks
// are not affected. For hostile input, whose cost is unknown.
import { Piscina } from 'piscina'
import { type LoadingThreads, watchLoadingThreads } from './loading-threads.ts'
import { waitAtMost } from '#core/platform/process/with-timeout.ts'
import type { SemaphoreCaller } from './semaphore.ts'
import { openTaskQueue, type Outcome, type QueueOptions } from './task-queue.ts'
import { BufferLimitError, type BufferWatch, limitBuffers } from './buffer-limit.ts'
import { compileCacheEnvironment } from './compile-cache.ts'
import type { ThreadLimits } from './thread-limits.ts'

export interface ThreadPoolOptions extends QueueOptions, ThreadLimits {
  /** The module that runs on the threads and the name of the function that it exports for tasks. */
  readonly module: URL
  readonly functionName: string
  readonly threads: number
  /** How many start at once and stay; the others start when those are busy, and end after an idle time. Absent: all. */
  readonly startAtOnce?: number
}

export interface PreparedTask<Task> {
  readonly task: Task
  /** The task's memory that is transferred to the thread without a copy. */
  readonly given: readonly ArrayBuffer[]
}

export interface ThreadPool<Task, Answer> {
  /** Owners take turns. Rejects with SERVICE_UNAVAILABLE when too many tasks of this owner wait, with the signal's reason when it is aborted (a running
   *  task's thread is terminated, once it has loaded its modules), and with a plain Error of the same message when the task throws: class and code do
   *  not cross threads. */
  run(task: Task, caller?: SemaphoreCaller): Promise<Outcome<Answer>>
  /** Runs a task that is built when a thread is free: large tasks take no memory while they wait or when they are rejected. */
  prepareAndRun(prepare: () => Promise<PreparedTask<Task>>, caller?: SemaphoreCaller): Promise<Outcome<Answer>>
  /** Rejects new and waiting tasks and gives the running ones 5 s. */
  close(): Promise<void>
}

interface Threads<Task, Answer> {
  readonly pool: Piscina<Task, Answer>
  readonly loading: LoadingThreads
  readonly buffers: BufferWatch
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'
const YOUNG_GENERATION_MEBIBYTES = 32
/** The pool's owner has already waited for its own work, as far as time allowed. */
const CLOSE_WITHIN_MS = 5_000
/** How long an extra thread waits for its next task. */
const IDLE_MS = 60_000

/** Starts the threads ahead, unless the options say otherwise, so that the first task does not wait for a start. */
export function openThreadPool<Task, Answer>(options: ThreadPoolOptions): ThreadPool<Task, Answer> {
  const pool = openPiscina<Task, Answer>(options)
  const loading = watchLoadingThreads(pool)
  const buffers = limitBuffers(pool, loading, options.bufferMebibytes)
  const queue = openTaskQueue(options.threads, options)
  const perform = (prepared: PreparedTask<Task>, signal?: AbortSignal) =>
    runOn({ pool, loading, buffers }, options, prepared, signal)
  return {
    run: (task, caller) => queue.run(() => perform({ task, given: [] }, caller?.signal), caller),
    prepareAndRun: (prepare, caller) => queue.run(async () => perform(await prepare(), caller?.signal), caller),
    async close() {
      await waitAtMost(queue.close(), CLOSE_WITHIN_MS)
      await loading.loaded()
      await pool.destroy()
    },
  }
}

function openPiscina<Task, Answer>(options: ThreadPoolOptions): Piscina<Task, Answer> {
  const { threads, startAtOnce = threads } = options
  const pool = new Piscina<Task, Answer>({
    filename: options.module.href,
    name: options.functionName,
    minThreads: startAtOnce,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: {
      maxOldGenerationSizeMb: options.heapMebibytes,
      maxYoungGenerationSizeMb: options.youngMebibytes ?? YOUNG_GENERATION_MEBIBYTES,
    },
    // The threads read hostile input and need no settings.
    env: compileCacheEnvironment(),
  })
  // A thread may fail without a task, for example at its start; the task that waits for it ends at its time limit. Without a listener the event would
  // end the process.
  pool.on('error', (error: Error) => process.emitWarning(error))
  return pool
}

async function runOn<Task, Answer>(
  { pool, loading, buffers }: Threads<Task, Answer>,
  options: ThreadPoolOptions,
  { task, given }: PreparedTask<Task>,
  signal?: AbortSignal,
): Promise<Outcome<Answer>> {
  // NOTE: AbortSignal.timeout would keep a timer per task until its time is over.
  const end = new AbortController()
  const giveUp = (): void => void loading.loaded().then(() => end.abort())
  const timer = setTimeout(giveUp, options.limitSeconds * 1000)
  signal?.addEventListener('abort', giveUp)
  try {
    signal?.throwIfAborted()
    const answered = pool.run(task, { signal: end.signal, transferList: [...given] })
    loading.look()
    return { finished: true, answer: await buffers.until(answered) }
  } catch (error) {
    signal?.throwIfAborted()
    if (end.signal.aborted || isOutOfMemory(error)) return { finished: false }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

function isOutOfMemory(error: unknown): boolean {
  if (error instanceof BufferLimitError) return true
  return error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY
}
