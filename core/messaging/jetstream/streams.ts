// The stream, declared once. It holds notifications, not jobs: it may be deleted at any time; the next start or message creates it again.
import { DiscardPolicy, type JetStreamManager, RetentionPolicy, type StreamConfig, StorageType } from '@nats-io/jetstream'
import { nanos } from 'nats'
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { CONSUMERS, WORK_STREAM } from './consumers.ts'
import { toStreamError, unlessMissing } from './stream-error.ts'

/** What an installation may choose. */
export interface StreamChoices {
  replicas: number
  duplicateWindowSeconds: number
  maxMessages: number
}

/** Marks our stream, so that a foreign one of the same name is never changed. */
const OWNER = { application: 'sealwright' }
const KEPT_MS = 86_400_000

/** Defaults, declared all the same so that a foreign change of them is reverted. */
const UNHINDERED = {
  max_bytes: -1,
  max_msg_size: -1,
  max_msgs_per_subject: -1,
  max_consumers: -1,
  consumer_limits: {},
  discard_new_per_subject: false,
  no_ack: false,
  sealed: false,
} as const satisfies Partial<StreamConfig>
/** Not set by default; messages under other subjects would have no consumer. */
const ABSENT: Readonly<Record<string, undefined>> = { subject_transform: undefined }

/** The stream as it should be. */
function declareStream({ replicas, duplicateWindowSeconds, maxMessages }: StreamChoices): Partial<StreamConfig> {
  return {
    name: WORK_STREAM,
    subjects: Object.keys(CONSUMERS),
    retention: RetentionPolicy.Workqueue,
    ...UNHINDERED,
    ...ABSENT,
    storage: StorageType.File,
    num_replicas: replicas,
    duplicate_window: nanos(duplicateWindowSeconds * 1000),
    max_msgs: maxMessages,
    max_age: nanos(Math.max(KEPT_MS, duplicateWindowSeconds * 1000)),
    // A full stream drops its oldest messages: their jobs are found in Postgres, and publishing never fails for lack of room.
    discard: DiscardPolicy.Old,
    metadata: OWNER,
  }
}

/** Creates the stream, or updates it if it is ours. Throws StartupError. */
export async function ensureStream(manager: JetStreamManager, choices: StreamChoices): Promise<void> {
  const name = WORK_STREAM
  const declared = declareStream(choices)
  const info = await manager.streams.info(name).catch(unlessMissing)
  if (!info) {
    await manager.streams.add({ ...declared, name }).catch((error: unknown) => {
      const advice = 'See SEALWRIGHT_NATS_REPLICAS and the limits of the account.'
      throw toStreamError('NATS_STREAM', `The stream ${name} cannot be created`, error, advice)
    })
    return
  }
  if (info.config.metadata?.['application'] !== OWNER.application) {
    throw new StartupError(
      'NATS_STREAM',
      `SEALWRIGHT_NATS_URL: the stream ${name} exists and was not created by Sealwright. Use a separate account for Sealwright, or delete the stream.`,
    )
  }
  // A single server refuses replicas for a new stream but silently ignores them for an existing one.
  if ((declared.num_replicas ?? 1) > 1 && !info.cluster?.name)
    throw new StartupError(
      'NATS_STREAM',
      `The stream ${name} cannot have ${declared.num_replicas} replicas: the server is not in a cluster. See SEALWRIGHT_NATS_REPLICAS.`,
    )
  if (!differs(info.config, declared)) return
  await manager.streams.update(name, declared).catch((error: unknown) => {
    const what = `The stream ${name} cannot be updated to SEALWRIGHT_NATS_REPLICAS, _MAX_MESSAGES and _DUPLICATE_WINDOW`
    throw toStreamError('NATS_STREAM', what, error, 'Delete it: it contains only notifications, no jobs, and is created again.')
  })
}

function differs(found: StreamConfig, declared: Partial<StreamConfig>): boolean {
  const actual = new Map<string, unknown>(Object.entries(found))
  // The server adds its own metadata.
  const compared = Object.entries(declared).filter(([key]) => key !== 'metadata')
  // It omits what is off or absent.
  return compared.some(([key, value]) => JSON.stringify(actual.get(key) ?? false) !== JSON.stringify(value ?? false))
}
