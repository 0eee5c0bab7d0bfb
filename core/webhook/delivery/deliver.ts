// Sends one delivery that its worker holds under a lease. At least once: after a crash between the receiver's answer and its record, the event is sent again
// with the same id and the same bytes.
import type { StorelessCore } from '#core/context.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { sendEvent } from '#core/webhook/send-event.ts'
import type { HeldLeases } from '#core/work/hold-lease.ts'
import type { JobHandler } from '#core/work/job.ts'
import { runLeasedJob } from '#core/work/run-next-job.ts'
import { DELIVERY_WORK, type DeliveryJob } from './delivery-job.ts'
import { type RecordDelivered, settleDelivery } from './settle-delivery.ts'

/** Seconds until a delivery is tried again that met an error of our own, such as a secret that cannot be decrypted. */
const OWN_ERROR_SECONDS = 60

/** Makes one attempt and records its result; throws only database errors. */
export async function deliver(
  core: StorelessCore,
  client: PostClient,
  job: DeliveryJob,
  held: HeldLeases,
  record?: RecordDelivered,
): Promise<void> {
  await runLeasedJob(core, deliveryHandler(core, client, record), job, held)
}

function deliveryHandler(core: StorelessCore, client: PostClient, record?: RecordDelivered): JobHandler<DeliveryJob> {
  return {
    kind: DELIVERY_WORK,
    span: {
      name: 'deliver event',
      attributes: ({ webhookId, eventType }) => ({ 'sealwright.webhook_id': webhookId, 'sealwright.event_type': eventType }),
    },
    perform: async (job) => settleDelivery(core, job, await sendEvent(core, client, { ...job, isSynthetic: job.isTest }), record),
    // Failed attempts are settled; what is thrown is an error of our own and uses up no retry.
    isTransient: () => true,
    maxFailures: core.settings.webhookRetryDelaysSeconds.length + 1,
    backoffSeconds: (_earlier, isTransient) => (isTransient ? OWN_ERROR_SECONDS : 0),
  }
}
