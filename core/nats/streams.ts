// Every stream and consumer, declared once. They hold rings, not work: a stream may be deleted at any time, and the next start or ring makes it anew.
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  type StreamConfig,
  StorageType,
} from '@nats-io/jetstream'
import { nanos } from 'nats'
import type { WorkSubject } from '#core/outbox/subjects.ts'
import { StartFault } from '#core/start/start-fault.ts'
import { toNatsFault } from './nats-fault.ts'

/** How long a ring stays with a worker that gives no sign of life. */
export const ACK_WAIT_MS = 30_000

/** What an installation may choose. */
export interface StreamChoices {
  replicas: number
  duplicateWindowSeconds: number
  maxMessages: number
}

/** Marks what is ours, so that nobody's stream of the same name is ever changed. */
const OWNER = { application: 'sealwright' }
const KEPT_MS = 86_400_000

export const WORK_STREAM = 'sealwright-work'
export const CONSUMERS: Readonly<Record<WorkSubject, string>> = {
  'sealwright.seal.requested': 'seal',
  'sealwright.mail.requested': 'mail',
}

/** The streams as they should be. */
export function declareStreams({ replicas, duplicateWindowSeconds, maxMessages }: StreamChoices): Partial<StreamConfig>[] {
  const shared = {
    storage: StorageType.File,
    num_replicas: replicas,
    duplicate_window: nanos(duplicateWindowSeconds * 1000),
    max_msgs: maxMessages,
    max_age: nanos(Math.max(KEPT_MS, duplicateWindowSeconds * 1000)),
    // A full stream lets go its oldest rings: their work is found in Postgres, and publishing never fails for lack of room.
    discard: DiscardPolicy.Old,
    metadata: OWNER,
  }
  return [
    { name: WORK_STREAM, subjects: Object.keys(CONSUMERS), retention: RetentionPolicy.Workqueue, ...shared },
    {
      name: 'sealwright-events',
      subjects: ['sealwright.envelope.*', 'sealwright.signer.*'],
      retention: RetentionPolicy.Limits,
      ...shared,
    },
  ]
}

/** Makes what is missing and brings what is ours up to date. Throws StartFault. */
export async function ensureStreams(manager: JetStreamManager, choices: StreamChoices): Promise<void> {
  for (const declared of declareStreams(choices)) await ensureStream(manager, declared)
  for (const [subject, name] of Object.entries(CONSUMERS)) await ensureConsumer(manager, subject, name)
}

async function ensureStream(manager: JetStreamManager, declared: Partial<StreamConfig>): Promise<void> {
  const name = declared.name ?? ''
  const info = await manager.streams.info(name).catch(unlessMissing)
  if (!info) {
    await manager.streams.add({ ...declared, name }).catch((error: unknown) => {
      throw toStreamFault(
        `The stream ${name} cannot be made`,
        'See SEALWRIGHT_NATS_REPLICAS and the limits of the account.',
        error,
      )
    })
    return
  }
  if (info.config.metadata?.['application'] !== OWNER.application) {
    throw new StartFault(
      'NATS_STREAM',
      `SEALWRIGHT_NATS_URL: the stream ${name} exists and was not made by Sealwright. Give Sealwright an account of its own or delete the stream.`,
    )
  }
  if (!differs(info.config, declared)) return
  await manager.streams.update(name, declared).catch((error: unknown) => {
    throw toStreamFault(
      `The stream ${name} cannot be changed to what SEALWRIGHT_NATS_REPLICAS, _MAX_MESSAGES and _DUPLICATE_WINDOW declare`,
      'Delete it: it holds no work, only hints, and is made anew.',
      error,
    )
  })
}

/** Codes of the server for what it has no room or no leader for at this moment. */
const PASSING = new Set([10_005, 10_008, 10_023, 10_047])

function toStreamFault(what: string, advice: string, error: unknown): StartFault {
  const refused = error instanceof JetStreamApiError && !PASSING.has(error.code)
  return refused ? new StartFault('NATS_STREAM', `${what}: ${error.message}. ${advice}`, error) : toNatsFault(error)
}

function differs(found: StreamConfig, declared: Partial<StreamConfig>): boolean {
  const actual = new Map<string, unknown>(Object.entries(found))
  // The server adds its own notes to the metadata.
  const compared = Object.entries(declared).filter(([key]) => key !== 'metadata')
  return compared.some(([key, value]) => JSON.stringify(actual.get(key)) !== JSON.stringify(value))
}

async function ensureConsumer(manager: JetStreamManager, subject: string, name: string): Promise<void> {
  const declared: Partial<ConsumerConfig> = {
    durable_name: name,
    filter_subject: subject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
    max_ack_pending: 10_000,
  }
  const info = await manager.consumers.info(WORK_STREAM, name).catch(unlessMissing)
  if (!info) await manager.consumers.add(WORK_STREAM, declared)
  else await manager.consumers.update(WORK_STREAM, name, declared)
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && ['StreamNotFoundError', 'ConsumerNotFoundError'].includes(error.name)) return undefined
  throw error
}
