// The seal role. Sealing threads do the CPU-heavy work.
import type { SystemCore } from '#core/context.ts'
import { SEAL_WORK } from '#core/envelope/seal-job.ts'
import type { Notifier } from '#core/messaging/notifier.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import type { Loop } from '../runtime/loop.ts'
import { startWorker } from '../runtime/start-worker.ts'

/** Runs until disposed. `concurrency`: envelopes in progress; while one uses a thread, others wait for the store and the database. */
export function startSeal(core: SystemCore, notifier: Notifier, sealing: SealingPool, concurrency: number): Loop {
  return startWorker({
    core,
    kind: SEAL_WORK,
    notifier,
    concurrency,
    runNext: (wanted, held) => sealNextEnvelope(core, sealing, wanted, held),
  })
}
