// Tracks which threads of a pool still load their modules. Terminating a thread during that crashes the process: V8 (Node 24.21) fails its check
// `location_ != nullptr` about once in 3,000 such threads.
import type { Piscina } from 'piscina'
import type { Worker } from 'node:worker_threads'
import { waitAtMost } from '#core/platform/process/with-timeout.ts'

export interface LoadingThreads {
  /** Call it where the pool may have started a thread without an event. */
  look(): void
  /** Whether this thread can be terminated safely: it has loaded its modules, or has failed to. */
  hasLoaded(thread: Worker): boolean
  /** Resolves when every thread has loaded its modules or has failed to; after 15 s in any case. */
  loaded(): Promise<void>
}

/** Longer than a busy machine needs, shorter than a process takes to stop. */
const LIMIT_MS = 15_000

export function watchLoadingThreads(pool: Piscina): LoadingThreads {
  const known = new WeakSet<Worker>()
  const loading = new Map<Worker, Promise<void>>()
  const look = (): void => {
    for (const thread of pool.threads.filter((each) => !known.has(each))) {
      known.add(thread)
      loading.set(
        thread,
        untilLoaded(thread).then(() => void loading.delete(thread)),
      )
    }
  }
  // The pool replaces threads, and starts others for waiting tasks, right after these events.
  pool.on('workerDestroy', () => queueMicrotask(look))
  pool.on('workerCreate', () => queueMicrotask(look))
  look()
  return {
    look,
    hasLoaded: (thread) => known.has(thread) && !loading.has(thread),
    async loaded() {
      look()
      await waitAtMost(Promise.all(loading.values()), LIMIT_MS)
    },
  }
}

/** The first message of a thread means that it has loaded: piscina sends it after importing the module of the tasks. */
function untilLoaded(thread: Worker): Promise<void> {
  return new Promise((resolve) => {
    thread.once('message', () => resolve())
    thread.once('exit', () => resolve())
  })
}
