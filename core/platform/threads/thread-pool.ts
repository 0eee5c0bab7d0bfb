// Runs tasks on threads that may be lost: one that takes too long or too much memory is killed and replaced, and the others do
// not notice. For work on hostile input, of which no one knows beforehand what it costs.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Piscina } from 'piscina'
import { threadPoolRunning, threadPoolTasks, threadPoolWaiting } from '#core/platform/metrics/metrics.ts'
import { type LoadingThreads, watchLoadingThreads } from './loading-threads.ts'
import { settledWithin } from '#core/platform/process/with-timeout.ts'
import { openSemaphore, type Semaphore } from './semaphore.ts'
import { BufferLimitError, type BufferWatch, limitBuffers } from './buffer-limit.ts'

export interface ThreadPoolOptions {
  /** The name under which it is measured. */
  readonly pool: 'inspection' | 'drawing' | 'verification' | 'sealing' | 'report'
  /** The module that runs on the threads and the name of the function that it exports for tasks. */
  readonly module: URL
  readonly functionName: string
  readonly threads: number
  /** So many start at once and stay; the others start when those are at work, and end when there was nothing for them for a while. Absent: all. */
  readonly startAtOnce?: number
  /** Tasks beyond those that run and those that wait are refused. */
  readonly maxWaiting: number
  /** A task that has waited so long is refused; absent: none is. */
  readonly waitSeconds?: number
  /** What a task may take, from when it starts to run; by the clock, so on a crowded machine it stands for less CPU time. */
  readonly limitSeconds: number
  /** JavaScript heap of a thread; the engine sees to it at once. Buffers do not count. */
  readonly heapMebibytes: number
  /** Of these, for objects that live a moment; what a thread once had of them it keeps. Absent: 32, for those that make many. */
  readonly youngMebibytes?: number
  /** Buffers of a thread, those that it has not swept yet included and shared memory not. They are looked at every 100 ms: a task that takes more
   *  between two looks gets it until the next, or to its end. */
  readonly bufferMebibytes: number
}

export interface PreparedTask<Task> {
  readonly task: Task
  /** Memory of the task that becomes the thread's, without a copy. */
  readonly given: readonly ArrayBuffer[]
}

/** Either the answer of the task, or that its thread had to be given up: out of time, or out of memory. */
export type Outcome<Answer> = { readonly finished: true; readonly answer: Answer } | { readonly finished: false }

export interface ThreadPool<Task, Answer> {
  /**
   * Rejects with SERVICE_UNAVAILABLE when too many tasks wait, with the signal's reason when it is aborted (which kills the
   * thread if the task runs already, once it has loaded its modules), and with a plain Error of the same message when the task throws: class and code do not
   * cross.
   */
  run(task: Task, signal?: AbortSignal): Promise<Outcome<Answer>>
  /** The same of a task that is made when its turn has come: what is large is not held while it waits, nor by who is refused. */
  prepareAndRun(prepare: () => Promise<PreparedTask<Task>>): Promise<Outcome<Answer>>
  /** Refuses tasks from now on, those that wait as well, and gives the running ones 5 s. */
  close(): Promise<void>
}

interface Threads<Task, Answer> {
  readonly pool: Piscina<Task, Answer>
  readonly loading: LoadingThreads
  readonly buffers: BufferWatch
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'
const RETRY_AFTER_SECONDS = 5
const YOUNG_GENERATION_MEBIBYTES = 32
/** Whoever closes the pool has let its own work finish before, as far as there was time. */
const CLOSE_WITHIN_MS = 5_000
/** How long a thread beyond those that stay waits for its next task. */
const IDLE_MS = 60_000

/** The first task should wait for no thread's start, unless told otherwise. */
export function openThreadPool<Task, Answer>(options: ThreadPoolOptions): ThreadPool<Task, Answer> {
  const { threads, maxWaiting, waitSeconds } = options
  const pool = openPiscina<Task, Answer>(options)
  const loading = watchLoadingThreads(pool)
  const buffers = limitBuffers(pool, loading, options.bufferMebibytes)
  const onRefused = (): void => threadPoolTasks.inc({ pool: options.pool, outcome: 'refused' })
  const line = openSemaphore({ places: threads, maxWaiting, waitSeconds, retryAfterSeconds: RETRY_AFTER_SECONDS, onRefused })
  const inTurn = async <Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    await withSigningLink(line, options.pool, signal)
    try {
      return await work()
    } finally {
      threadPoolRunning.dec({ pool: options.pool })
      line.leave()
    }
  }
  const perform = (prepared: PreparedTask<Task>, signal?: AbortSignal) =>
    runOn({ pool, loading, buffers }, options, prepared, signal)
  return {
    run: (task, signal) => inTurn(() => perform({ task, given: [] }, signal), signal),
    prepareAndRun: (prepare) => inTurn(async () => perform(await prepare())),
    async close() {
      await settledWithin(line.close(), CLOSE_WITHIN_MS)
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
    env: threadEnvironment(),
  })
  // A thread that breaks without a task, because it can't start, say: the task that waits for it is lost at its limit. Without a
  // listener the event would end the process.
  pool.on('error', (error: Error) => process.emitWarning(error))
  return pool
}

async function runOn<Task, Answer>(
  { pool, loading, buffers }: Threads<Task, Answer>,
  options: ThreadPoolOptions,
  { task, given }: PreparedTask<Task>,
  signal?: AbortSignal,
): Promise<Outcome<Answer>> {
  // NOTE: AbortSignal.timeout would leave a timer behind for each task until its time has passed.
  const end = new AbortController()
  const giveUp = (): void => void loading.loaded().then(() => end.abort())
  const timer = setTimeout(giveUp, options.limitSeconds * 1000)
  signal?.addEventListener('abort', giveUp)
  try {
    signal?.throwIfAborted()
    const answered = pool.run(task, { signal: end.signal, transferList: [...given] })
    loading.look()
    const answer = await buffers.until(answered)
    threadPoolTasks.inc({ pool: options.pool, outcome: 'finished' })
    return { finished: true, answer }
  } catch (error) {
    signal?.throwIfAborted()
    const lost = end.signal.aborted || isOutOfMemory(error)
    threadPoolTasks.inc({ pool: options.pool, outcome: lost ? 'lost' : 'failed' })
    if (lost) return { finished: false }
    throw error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Waits for a place; who is let in counts as running. */
async function withSigningLink(line: Semaphore, pool: ThreadPoolOptions['pool'], signal: AbortSignal | undefined): Promise<void> {
  threadPoolWaiting.inc({ pool })
  try {
    await line.withSigningLink(signal)
    threadPoolRunning.inc({ pool })
  } finally {
    threadPoolWaiting.dec({ pool })
  }
}

// The threads read hostile input and need no setting, so none is within their reach; only where compiled modules are kept, if they are.
function threadEnvironment(): Record<string, string> {
  const versioned = getCompileCacheDir()
  return versioned === undefined ? {} : { NODE_COMPILE_CACHE: dirname(versioned) }
}

function isOutOfMemory(error: unknown): boolean {
  if (error instanceof BufferLimitError) return true
  return error instanceof Error && 'code' in error && error.code === OUT_OF_MEMORY
}
