// Terminates threads that hold too much memory outside their JavaScript heap, which Node's thread limits do not cover. Polled from outside while
// tasks run: memory that is freed between two polls and shared memory (SharedArrayBuffer) are not counted.
import type { Piscina } from 'piscina'
import type { Worker } from 'node:worker_threads'
import type { LoadingThreads } from './loading-threads.ts'

export interface BufferWatch {
  /** Polls the threads until the task has settled, and settles with it: with a BufferLimitError when its thread was terminated here. */
  until<Answer>(task: Promise<Answer>): Promise<Answer>
}

export class BufferLimitError extends Error {
  override readonly name = 'BufferLimitError'
}

const LOOK_EVERY_MS = 100
const BYTES_PER_MEBIBYTE = 1024 * 1024

/** The limit in MiB of each thread's ArrayBuffers and Buffers, garbage included. */
export function limitBuffers(pool: Piscina, loading: LoadingThreads, mebibytes: number): BufferWatch {
  const asked = new WeakSet<Worker>()
  let tasks = 0
  let timer: NodeJS.Timeout | undefined
  const lookAt = async (thread: Worker): Promise<void> => {
    asked.add(thread)
    const { external_memory: bytes } = await thread.getHeapStatistics()
    asked.delete(thread)
    if (bytes <= mebibytes * BYTES_PER_MEBIBYTE || !pool.threads.includes(thread)) return
    // Handled like a full heap: the pool terminates the thread, replaces it and rejects its task with this error.
    thread.emit('error', new BufferLimitError(`A thread held more than ${mebibytes} MiB of buffers.`))
  }
  const look = (): void => {
    if (tasks === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    // A thread in the middle of native code responds only after it.
    for (const thread of pool.threads.filter((each) => !asked.has(each) && loading.hasLoaded(each)))
      void lookAt(thread).catch((error: unknown) => isEnded(error) || pool.emit('error', error))
  }
  return {
    async until(task) {
      tasks++
      // The first poll without a task stops the timer: many short tasks share one timer, and an idle pool has none.
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      try {
        return await task
      } finally {
        tasks--
      }
    },
  }
}

/** It ended between two polls; its task has settled. */
function isEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING'
}
