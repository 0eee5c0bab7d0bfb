// Checks signature images and draws seals on separate threads: an image can be hostile, and fonts are too heavy for the event loop.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { asBuffer, toTransferable } from '#core/platform/threads/transferable.ts'
import { openThreadPool, type PreparedTask } from '#core/platform/threads/thread-pool.ts'
import type { AppearanceAnswer, AppearanceTask } from './appearance-thread.ts'
import type { SealContents } from './seal-contents.ts'

export interface AppearancePool {
  /** Returns the image as a new PNG. Throws SIGNATURE_IMAGE_INVALID with a sentence for the signer, SERVICE_UNAVAILABLE when too many requests wait. */
  checkImage(signatureImage: string): Promise<Buffer>
  /**
   * Draws the seal as an encoded FormBundle. `imagePng` comes from checkImage and is transferred to the thread, so it serves one seal only.
   * Throws SERVICE_UNAVAILABLE when too many requests wait.
   */
  draw(contents: SealContents): Promise<Buffer>
  /** Waits for running tasks. */
  close(): Promise<void>
}

export interface AppearancePoolOptions {
  readonly threads: number
}

/** An image within the limits takes at most 0.2 s, a seal less; a thread that is starting on a loaded machine takes seconds. */
const LIMIT_SECONDS = 30
const HEAP_MEBIBYTES = 256
/** Fonts and the largest images take two fifths of it. */
const BUFFER_MEBIBYTES = 512
const MAX_WAITING_PER_THREAD = 64

export function openAppearancePool({ threads }: AppearancePoolOptions): AppearancePool {
  const pool = openThreadPool<AppearanceTask, AppearanceAnswer>({
    pool: 'drawing',
    module: new URL('appearance-thread.ts', import.meta.url),
    functionName: 'runAppearanceTask',
    threads,
    maxWaiting: threads * MAX_WAITING_PER_THREAD,
    limitSeconds: LIMIT_SECONDS,
    heapMebibytes: HEAP_MEBIBYTES,
    bufferMebibytes: BUFFER_MEBIBYTES,
  })
  const run = async (prepared: PreparedTask<AppearanceTask>) => {
    const outcome = await pool.prepareAndRun(async () => prepared)
    if (!outcome.finished) throw new DomainError('SERVICE_UNAVAILABLE')
    if (!outcome.answer.ok) throw new DomainError('SIGNATURE_IMAGE_INVALID', { message: outcome.answer.message })
    return asBuffer(outcome.answer.bytes)
  }
  return {
    checkImage: (signatureImage) => run({ task: { kind: 'check', signatureImage }, given: [] }),
    draw(contents) {
      const imagePng = toTransferable(contents.imagePng)
      return run({ task: { kind: 'draw', contents: { ...contents, imagePng } }, given: [imagePng.buffer] })
    },
    close: () => pool.close(),
  }
}
