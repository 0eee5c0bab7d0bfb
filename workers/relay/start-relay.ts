// The relay role: publishes committed outbox rows when Postgres notifies it, at the latest at the next poll.
import type { Notifier } from '#core/messaging/notifier.ts'
import type { StorelessCore } from '#core/context.ts'
import { listenToOutbox, relayOutbox } from '#core/messaging/relay-outbox.ts'
import { startDrainLoop } from '../runtime/drain-loop.ts'
import type { Loop } from '../runtime/loop.ts'

const POLL_MS = 5_000
/** Too short to notice, and only after a step: under load one step publishes the rows of several envelopes. */
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
  // The supervisor restarts it: this loop must not run beside the next one.
  const listening = await listenToOutbox(core, loop.notify).catch(async (error: unknown) => {
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
