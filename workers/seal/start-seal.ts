// The seal role: seals what is due, one envelope at a time in each lane; the heavy work is in the sealing threads.
import type { Notifier } from '#core/messaging/notifier.ts'
import type { SystemCore } from '#core/context.ts'
import { releaseLeases, type HeldLeases } from '#core/work/hold-lease.ts'
import { SealRequested } from '#core/messaging/messages.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import type { Loop } from '../runtime/loop.ts'
import { startConsumer } from '../runtime/consume.ts'

const POLL_MS = 2_000

/** Runs until disposed. `lanes`: envelopes under way at a time; while one is with a thread, others are with the store and the database. */
export function startSeal(core: SystemCore, notifier: Notifier, sealing: SealingPool, lanes: number): Loop {
  const held: HeldLeases = new Set()
  const lanesAtWork = startConsumer({
    name: 'seal',
    notifier,
    subject: 'sealwright.seal.requested',
    message: SealRequested,
    lanes,
    pollMs: POLL_MS,
    log: core.log,
    work: (wanted) => sealNextEnvelope(core, sealing, wanted, held),
  })
  return { ...lanesAtWork, releaseLease: () => releaseLeases(held) }
}
