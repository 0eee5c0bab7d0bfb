// The relay role: committed outbox rows go to the notifier, at once when Postgres notifies, at the latest by the poll.
import type { Notifier } from '#core/messaging/notifier.ts'
import type { StorelessCore } from '#core/context.ts'
import { listenToOutbox, relayOutbox } from '#core/messaging/relay-outbox.ts'
import { startDrainLoop } from '../runtime/drain-loop.ts'
import type { Loop } from '../runtime/loop.ts'

const POLL_MS = 5_000
/** Far below what anybody notices, and only after a round: under load, one serves the rows of several envelopes. */
const REST_MS = 25

/** Runs until disposed. */
export async function startRelay(core: StorelessCore, notifier: Notifier): Promise<Loop> {
  const loop = startDrainLoop({
    name: 'relay',
    step: async () => (await relayOutbox(core, notifier)).more,
    pollMs: POLL_MS,
    restMs: REST_MS,
    concurrency: 1,
    log: core.log,
  })
  // Whoever starts this tries again: what was begun must not go on beside it.
  const listening = await listenToOutbox(core, loop.ring).catch(async (error: unknown) => {
    await loop[Symbol.asyncDispose]()
    throw error
  })
  return {
    busyForMs: loop.busyForMs,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]()
      await loop[Symbol.asyncDispose]()
    },
  }
}
