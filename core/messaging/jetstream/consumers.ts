// The consumers of the work stream, declared once: one per subject.
import { AckPolicy, type ConsumerConfig, type ConsumerInfo, DeliverPolicy, type JetStreamManager } from '@nats-io/jetstream'
import { nanos } from 'nats'
import type { Subject } from '#core/messaging/subjects.ts'
import type { StartupError } from '#core/platform/errors/startup-error.ts'
import { isRejection, toStreamError, unlessMissing } from './stream-error.ts'

/** How long a notification stays with a worker that reports no progress. */
const ACK_WAIT_MS = 30_000

export const WORK_STREAM = 'sealwright-work'
export const CONSUMERS: Readonly<Record<Subject, string>> = {
  'sealwright.seal.requested': 'seal',
  'sealwright.mail.requested': 'mail',
  'sealwright.report.requested': 'report',
  'sealwright.delivery.requested': 'deliver',
  'sealwright.probe.requested': 'probe',
}

/** A work-queue stream allows one consumer per subject: the server's codes for a subject that another consumer has. */
const TAKEN = new Set([10_099, 10_100])

function declareConsumer(subject: string, name: string): Partial<ConsumerConfig> {
  return {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
    max_ack_pending: 10_000,
  }
}

/** Creates missing consumers and reverts foreign changes of existing ones, including a pause. Throws StartupError. */
export async function ensureConsumers(manager: JetStreamManager): Promise<void> {
  for (const [subject, name] of Object.entries(CONSUMERS)) await ensureConsumer(manager, declareConsumer(subject, name), name)
}

async function ensureConsumer(manager: JetStreamManager, declared: Partial<ConsumerConfig>, name: string): Promise<void> {
  const info = await manager.consumers.info(WORK_STREAM, name).catch(unlessMissing)
  try {
    if (info) await bringUpToDate(manager, info, declared)
    else await manager.consumers.add(WORK_STREAM, declared)
  } catch (error) {
    throw await toConsumerError(manager, name, info ? 'updated' : 'created', error)
  }
}

async function bringUpToDate(
  manager: JetStreamManager,
  { name, config, paused }: ConsumerInfo,
  declared: Partial<ConsumerConfig>,
): Promise<void> {
  // The library sends the existing configuration with ours laid over it; what we do not declare goes back to the server's default.
  const cleared = Object.fromEntries(Object.keys(config).map((key) => [key, undefined]))
  await manager.consumers.update(WORK_STREAM, name, { ...cleared, ...declared })
  if (paused) await manager.consumers.resume(WORK_STREAM, name)
}

async function toConsumerError(manager: JetStreamManager, name: string, wanted: string, error: unknown): Promise<StartupError> {
  const isKeptOut = isRejection(error) && TAKEN.has(error.code)
  const advice = isKeptOut
    ? `Delete the consumers of this stream that are not Sealwright's: ${(await listStrangers(manager)).join(', ')}.`
    : 'Delete it: it contains only notifications, no jobs, and is created again.'
  const what = `SEALWRIGHT_NATS_URL: the consumer ${name} of the stream ${WORK_STREAM} cannot be ${wanted}`
  return toStreamError('NATS_CONSUMER', what, error, advice)
}

async function listStrangers(manager: JetStreamManager): Promise<string[]> {
  const ours = new Set(Object.values(CONSUMERS))
  const names: string[] = []
  for await (const { name } of manager.consumers.list(WORK_STREAM)) if (!ours.has(name)) names.push(name)
  return names
}
