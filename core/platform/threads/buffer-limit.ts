// Gives up threads that hold too much outside of their JavaScript heap: the limits of a thread in Node bound that heap alone. Asked from outside while tasks
// run, so this bounds what grows: what is taken and given back between two looks is not seen, nor what is shared between threads (SharedArrayBuffer).
import type { Piscina } from 'piscina'
import type { Worker } from 'node:worker_threads'
import type { LoadingThreads } from './loading-threads.ts'

export interface BufferWatch {
  /** PollTimer at the threads until the task has settled, and settles as it does: with a BufferLimitError when its thread was given up here. */
  until<Answer>(task: Promise<Answer>): Promise<Answer>
}

export class BufferLimitError extends Error {
  override readonly name = 'BufferLimitError'
}

const LOOK_EVERY_MS = 100
const BYTES_PER_MEBIBYTE = 1024 * 1024

/** Each thread may hold so many MiB of ArrayBuffers, Buffers and the like, what it has not swept yet included. */
export function limitBuffers(pool: Piscina, loading: LoadingThreads, mebibytes: number): BufferWatch {
  const asked = new WeakSet<Worker>()
  let tasks = 0
  let timer: NodeJS.Timeout | undefined
  const lookAt = async (thread: Worker): Promise<void> => {
    asked.add(thread)
    const { external_memory: bytes } = await thread.getHeapStatistics()
    asked.delete(thread)
    if (bytes <= mebibytes * BYTES_PER_MEBIBYTE || !pool.threads.includes(thread)) return
    // As the engine does for a heap that is full: the pool ends the thread, replaces it and rejects its task with this very error.
    thread.emit('error', new BufferLimitError(`A thread held more than ${mebibytes} MiB of buffers.`))
  }
  const look = (): void => {
    if (tasks === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    // A thread in the middle of native code answers only after it.
    for (const thread of pool.threads.filter((each) => !asked.has(each) && loading.hasLoaded(each)))
      void lookAt(thread).catch((error: unknown) => isEnded(error) || pool.emit('error', error))
  }
  return {
    async until(task) {
      tasks++
      // Stopped by the first look that finds nothing to do: no timer is made for each of many short tasks, and none runs for a pool at rest.
      timer ??= setInterval(look, LOOK_EVERY_MS).unref()
      try {
        return await task
      } finally {
        tasks--
      }
    },
  }
}

/** It ended between two looks: its task knows. */
function isEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_NOT_RUNNING'
}
