// The seal role: seals what is due, one envelope at a time in each lane; the heavy work is in the sealing threads.
import type { Bell } from '#core/bell/bell.ts'
import type { Core } from '#core/context.ts'
import { sealNextEnvelope } from '#core/seal/seal-next-envelope.ts'
import type { SealingPool } from '#core/seal/sealing-pool.ts'
import { startDrainLoop } from '../runtime/drain-loop.ts'

const POLL_MS = 2_000

/** Runs until disposed; `lanes` envelopes are sealed at a time. */
export function startSeal(core: Core, bell: Bell, sealing: SealingPool, lanes: number): AsyncDisposable {
  const loop = startDrainLoop({
    name: 'seal',
    step: () => sealNextEnvelope(core, sealing),
    pollMs: POLL_MS,
    concurrency: lanes,
    log: core.log,
  })
  const listening = bell.consume('sealwright.seal.requested', loop.ring)
  return {
    async [Symbol.asyncDispose]() {
      listening[Symbol.dispose]()
      await loop[Symbol.asyncDispose]()
    },
  }
}
