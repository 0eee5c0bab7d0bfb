// Checks signature images, draws seals and places them on separate threads: an image can be hostile, and fonts and full pages are too heavy
// for the event loop.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { asBuffer, toTransferable } from '#core/platform/threads/transferable.ts'
import { THREAD_LIMITS } from '#core/platform/threads/thread-limits.ts'
import { openThreadPool, type PreparedTask } from '#core/platform/threads/thread-pool.ts'
import type { Inspected } from '#core/pdf/placement/place-seals.ts'
import type { StoredSeal } from '#core/pdf/placement/seal-places.ts'
import type { AppearanceAnswer, AppearanceTask } from './appearance-thread.ts'
import type { SealContents } from './seal-contents.ts'

export interface AppearancePool {
  /** Returns the image as a new PNG. Throws SIGNATURE_IMAGE_INVALID with a sentence for the signer, SERVICE_UNAVAILABLE when too many requests of this
   *  owner wait, as the others do. Owners take turns. */
  checkImage(signatureImage: string, owner: string): Promise<Buffer>
  /**
   * Draws the seal as an encoded FormBundle. `imagePng` comes from checkImage and is transferred to the thread, so it serves one seal only.
   * Throws SERVICE_UNAVAILABLE when too many requests wait.
   */
  draw(contents: SealContents, owner: string): Promise<Buffer>
  /** Places the seals of signers for whom the upload's inspection did not. Throws SERVICE_UNAVAILABLE when too many requests wait. */
  place(inspected: Inspected, signOrders: readonly number[], owner: string): Promise<StoredSeal[]>
  /** Waits for running tasks. */
  close(): Promise<void>
}

export function openAppearancePool(): AppearancePool {
  const pool = openThreadPool<AppearanceTask, AppearanceAnswer>({
    pool: 'drawing',
    ...THREAD_LIMITS.drawing,
    module: new URL('appearance-thread.ts', import.meta.url),
    functionName: 'runAppearanceTask',
    threads: 1,
  })
  const run = async (prepared: PreparedTask<AppearanceTask>, owner: string) => {
    const outcome = await pool.prepareAndRun(async () => prepared, { owner })
    if (!outcome.finished) throw new DomainError('SERVICE_UNAVAILABLE')
    if (!outcome.answer.ok) throw new DomainError('SIGNATURE_IMAGE_INVALID', { message: outcome.answer.message })
    return outcome.answer
  }
  const bytesOf = (answer: Awaited<ReturnType<typeof run>>): Buffer => {
    if (!('bytes' in answer)) throw new Error('the thread returned no bytes')
    return asBuffer(answer.bytes)
  }
  return {
    checkImage: async (signatureImage, owner) =>
      bytesOf(await run({ task: { kind: 'check', signatureImage }, given: [] }, owner)),
    async draw(contents, owner) {
      const imagePng = toTransferable(contents.imagePng)
      return bytesOf(await run({ task: { kind: 'draw', contents: { ...contents, imagePng } }, given: [imagePng.buffer] }, owner))
    },
    async place({ markers, plan, pageCount, certification, ink }, signOrders, owner) {
      const inspected = { markers, plan, pageCount, certification, ink }
      const answer = await run({ task: { kind: 'place', inspected, signOrders }, given: [] }, owner)
      if (!('seals' in answer)) throw new Error('the thread returned no places')
      return [...answer.seals]
    },
    close: () => pool.close(),
  }
}
