// Sends one delivery that its worker holds under a lease. At least once: after a crash between the receiver's answer and its record, the event is sent again
// with the same id and the same bytes.
import type { StorelessCore } from '#core/context.ts'
import type { PostClient } from '#core/webhook/request/post-client.ts'
import { sendEvent } from './send-event.ts'
import type { JobHandler } from '#core/work/job.ts'
import { runLeasedJob } from '#core/work/run-next-job.ts'
import { DELIVERY_WORK, type DeliveryJob, type RecordDelivered } from '#core/webhook/delivery/delivery-job.ts'
import { settleDelivery } from './settle-delivery.ts'

/** Seconds until a delivery is tried again that met an error of our own, such as a secret that cannot be decrypted. */
const OWN_ERROR_SECONDS = 60

export interface DeliverOptions {
  record?: RecordDelivered
  /** Called when the receiver has accepted it, before that is recorded. */
  onAccepted?: () => void
}

/** Makes one attempt and records its result; throws only database errors. The caller holds the lease. */
export async function deliver(
  core: StorelessCore,
  client: PostClient,
  job: DeliveryJob,
  options: DeliverOptions = {},
): Promise<void> {
  await runLeasedJob(core, deliveryHandler(core, client, options), job)
}

function deliveryHandler(
  core: StorelessCore,
  client: PostClient,
  { record, onAccepted }: DeliverOptions,
): JobHandler<DeliveryJob> {
  return {
    kind: DELIVERY_WORK,
    span: {
      name: 'deliver event',
      attributes: ({ webhookId, eventType }) => ({ 'sealwright.webhook_id': webhookId, 'sealwright.event_type': eventType }),
    },
    async perform(job) {
      const attempt = await sendEvent(core, client, { ...job, isSynthetic: job.isTest })
      if (!attempt.failure) onAccepted?.()
      return settleDelivery(core, job, attempt, record)
    },
    // Failed attempts are settled; what is thrown is an error of our own and uses up no retry.
    isTransient: () => true,
    maxFailures: core.settings.webhookRetryDelaysSeconds.length + 1,
    backoffSeconds: (_earlier, isTransient) => (isTransient ? OWN_ERROR_SECONDS : 0),
  }
}
