// Opens private keys on a separate thread: a PKCS#12 file may take seconds, which must not block the event loop.
import { THREAD_LIMITS } from '#core/platform/threads/thread-limits.ts'
import { openThreadPool } from '#core/platform/threads/thread-pool.ts'
import type { FoundKey, KeyAnswer, KeyTask } from './key-task.ts'

export interface KeyOpener {
  /** Opens the key and tries it. Throws SERVICE_UNAVAILABLE when too many wait. */
  open(found: FoundKey, now: Date): Promise<KeyAnswer>
  /** Waits for running tasks. */
  close(): Promise<void>
}

/** The thread starts with the first key and ends when idle, because keys are opened rarely. */
export function openKeyOpener(): KeyOpener {
  const pool = openThreadPool<KeyTask, KeyAnswer>({
    pool: 'key',
    ...THREAD_LIMITS.key,
    module: new URL('key-thread.ts', import.meta.url),
    functionName: 'runKeyTask',
    threads: 1,
    startAtOnce: 0,
  })
  return {
    async open(found, now) {
      const outcome = await pool.run({ found, now })
      if (outcome.finished) return outcome.answer
      return {
        ok: false,
        reason: 'NotPkcs12',
        message: `Opening the signing key took longer than ${THREAD_LIMITS.key.limitSeconds} s, or too much memory.`,
      }
    },
    close: () => pool.close(),
  }
}
