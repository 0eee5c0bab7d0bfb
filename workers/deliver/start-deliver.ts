// The deliver role: sends due webhook deliveries, and probes disabled webhooks.
import type { StorelessCore } from '#core/context.ts'
import type { Notifier } from '#core/messaging/notifier.ts'
import { DELIVERY_WORK } from '#core/webhook/delivery/delivery-job.ts'
import { PROBE_WORK } from '#core/webhook/probe/probe-job.ts'
import { runNextProbe } from '#core/webhook/send/run-next-probe.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { JobRequested } from '#core/work/job.ts'
import { startConsumer } from '../runtime/consume.ts'
import type { Loop } from '../runtime/loop.ts'
import { startRecordingCosts } from '../runtime/record-costs.ts'
import { startWorker } from '../runtime/start-worker.ts'
import { newDispatcher, LIMITS } from './dispatcher.ts'

/** Also the resolution of retry times. */
const POLL_MS = 1_000
const CONSUMERS = 2
/** Requested probes are made at once, also while a receiver lets one time out. */
const PROBES = 4
/** After a request, to record its result. */
const RECORD_WITHIN_MS = 1_000

/** Runs until disposed, which also closes the client. */
export function startDeliver(core: StorelessCore, notifier: Notifier, client: PostClient): Loop {
  const dispatcher = newDispatcher(core, client)
  const consumer = startConsumer({
    name: DELIVERY_WORK.name,
    notifier,
    subject: DELIVERY_WORK.subject,
    message: JobRequested,
    concurrency: CONSUMERS,
    pollMs: POLL_MS,
    log: core.log,
    work: (wanted) => dispatcher.start(wanted?.orgId),
  })
  const costs = startRecordingCosts(core, DELIVERY_WORK, LIMITS.max)
  const probes = startWorker({
    core,
    kind: PROBE_WORK,
    notifier,
    concurrency: PROBES,
    runNext: (wanted, held) => runNextProbe(core, client, wanted, held),
  })
  return {
    busyForMs: () => Math.max(consumer.busyForMs(), probes.busyForMs()),
    // A request that is cut off is sent again, although its receiver may have it.
    finishWithinMs: core.settings.webhookTimeoutSeconds * 1_000 + RECORD_WITHIN_MS,
    releaseLease: async () => {
      await Promise.all([dispatcher.releaseLeases(), probes.releaseLease?.()])
    },
    async [Symbol.asyncDispose]() {
      // Before the wait for a probe, during which every finished request would begin another.
      dispatcher.stop()
      await Promise.all([consumer, probes, costs].map((loop) => loop[Symbol.asyncDispose]()))
      await dispatcher[Symbol.asyncDispose]()
      await client[Symbol.asyncDispose]()
    },
  }
}
