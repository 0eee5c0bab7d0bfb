// Closing the store aborts running uploads and gives them a moment to delete the parts they have sent.
import { sleep } from '#core/platform/process/sleep.ts'
import { StorageError } from '#core/platform/storage/storage-error.ts'

const TAKE_BACK_WITHIN_MS = 2_000

export interface RunningUploads {
  /** Runs an upload. `close` aborts its signal, with a StorageError as the reason. */
  run<Result>(upload: (stop: AbortSignal) => Promise<Result>): Promise<Result>
  /** Aborts running uploads and waits until they have ended, for a limited time. */
  close(): Promise<void>
}

export function runningUploads(): RunningUploads {
  const stop = new AbortController()
  const running = new Set<Promise<unknown>>()
  return {
    async run(upload) {
      const run = upload(stop.signal)
      running.add(run)
      try {
        return await run
      } finally {
        running.delete(run)
      }
    },
    async close() {
      stop.abort(new StorageError('unreachable', 'The store is being closed.'))
      const done = new AbortController()
      await Promise.race([Promise.allSettled(running), sleep(TAKE_BACK_WITHIN_MS, done.signal)])
      done.abort()
    },
  }
}
