// The threads and processes that keep heavy and hostile work off the event loop: one pool per kind of work, so that no kind delays another.
import { type InspectionPool, openInspectionPool } from '#core/pdf/upload/inspection-pool.ts'
import { type AppearancePool, openAppearancePool } from '#core/appearance/appearance-pool.ts'
import { UPLOAD_THREAD } from '#core/pades/signatures/upload-thread.ts'
import { openVerificationPool, type VerificationPool } from '#core/pades/verification-pool.ts'

export interface Threads {
  /** Inspects uploads: hostile input, in processes without secrets, with limits on time and memory. */
  inspection: InspectionPool
  /** Checks signature images and draws seals. */
  drawing: AppearancePool
  /** Verifies sealed copies for the public. */
  verification: VerificationPool
  /** Waits for running tasks and ends the threads. */
  close(): Promise<void>
}

/** Starts the threads at once, so that no request waits for one; a process for uploads starts with the first upload, since many API processes receive none.
 *  `folder`: where uploads are received. */
export function openThreads({ folder }: { folder: string }): Threads {
  // An organisation has one of them at most, so one with slow documents leaves another to all others. The second starts when it is needed.
  const inspection = openInspectionPool({ processes: 2, module: UPLOAD_THREAD, folder })
  const drawing = openAppearancePool()
  const verification = openVerificationPool()
  return {
    inspection,
    drawing,
    verification,
    async close() {
      await Promise.all([inspection.close(), drawing.close(), verification.close()])
    },
  }
}
