// Gathers the facts of one reconcile.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { isDefinitionServed } from '../projection/definitions.ts'
import { readLive } from '../projection/object-writes.ts'
import { needsLiveRead } from '../projection/rollback.ts'
import type { WebhookContext, WebhookProgress } from './context.ts'
import { needsSecretRead } from './freshness.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import { readOwnedSecret, readSuppliedSecret } from './secrets.ts'
import { PROJECTED_NAME, type Snapshot } from './snapshot.ts'

const SECRETS_READ_EVERY_MS = 60 * 60_000

/** Reads the database, and of Kubernetes what the cache cannot say. */
export async function observe(context: WebhookContext, key: string, progress: WebhookProgress): Promise<Snapshot> {
  const [namespace = '', name = ''] = key.split('/')
  const found = await findBoth(context, key, progress)
  const { object, row } = found
  return {
    namespace,
    name,
    ...found,
    ...(await readSecrets(context, object, row, progress)),
    refusal: progress.refusal,
    adoptionRefusal: progress.adoptionRefusal,
    isApplied: {
      suppliedSecret: progress.hasAppliedSecret ?? false,
      probeRequest: progress.probeRequest,
      rotationRequest: progress.rotationRequest,
    },
    holdsDeletions: context.holdsDeletions(),
    isKindDeleted: isLeaving(object) && row !== undefined && !(await isServed(context)),
    hasRoom: object !== undefined || context.hasRoom(),
    now: context.clock.wall(),
  }
}

function isLeaving(object: WebhookSubscription | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined
}

type Rows = Pick<Snapshot, 'row' | 'vanished' | 'takenOver'>

async function findBoth(
  context: WebhookContext,
  key: string,
  progress: WebhookProgress,
): Promise<Rows & Pick<Snapshot, 'object'>> {
  const isKnown = progress.object !== undefined || progress.isDeleted === true
  const cached = isKnown ? progress.object : context.store.get(key)
  const rows = await readRows(context, key, cached)
  if (isKnown || !needsLiveRead(cached, rows.row, rows.vanished.length > 0)) return { object: cached, ...rows }
  const [namespace = '', name = ''] = key.split('/')
  const object = await readLive<WebhookSubscription>(context, WEBHOOK_SUBSCRIPTIONS, { namespace, name })
  return { object, ...(await readRows(context, key, object)) }
}

async function readRows(context: WebhookContext, key: string, object: WebhookSubscription | undefined): Promise<Rows> {
  const vanished = await readVanished(context, key, object?.metadata.uid)
  if (object && object.spec.origin !== 'API') return { vanished, ...(await readAuthored(context, object)) }
  const id = PROJECTED_NAME.exec(key.slice(key.indexOf('/') + 1))?.[1]
  const row = id === undefined ? undefined : await readMirrored(context.core, { id })
  return { vanished, row: row?.origin === 'API' ? row : undefined }
}

async function readVanished(
  { core, vanished }: WebhookContext,
  key: string,
  uid: string | undefined,
): Promise<MirroredWebhook[]> {
  const uids = vanished.of(key).filter((each) => each !== uid)
  const rows = await Promise.all(uids.map((each) => readMirrored(core, { uid: each })))
  return rows.flatMap((row) => (row?.origin === 'KUBERNETES' ? [row] : []))
}

async function readAuthored(
  { core }: WebhookContext,
  { metadata, status }: WebhookSubscription,
): Promise<Omit<Rows, 'vanished'>> {
  const { uid = '' } = metadata
  const row = await readMirrored(core, { uid })
  if (row?.origin === 'KUBERNETES') return { row }
  const shown = status?.subscriptionId === undefined ? undefined : await readMirrored(core, { id: status.subscriptionId })
  return { row: undefined, takenOver: shown?.object ? shown : undefined }
}

type Secrets = Pick<Snapshot, 'suppliedSecret' | 'ownedSecret'>

const UNREAD: Secrets = { suppliedSecret: { kind: 'UNREAD' }, ownedSecret: { kind: 'UNREAD' } }

/** Only when they can matter: reading a Secret at every reconcile would be most of our traffic. */
async function readSecrets(
  context: WebhookContext,
  object: WebhookSubscription | undefined,
  row: MirroredWebhook | undefined,
  { hasAppliedSecret }: WebhookProgress,
): Promise<Secrets> {
  if (!object || !hasSecrets(object)) return UNREAD
  const isDue = secretsDueInMs(context, object) <= 0
  const isSupplyDue = hasAppliedSecret !== true && (isDue || !row || hasNewWish(object))
  const suppliedSecret = isSupplyDue ? await readSuppliedSecret(context, object) : UNREAD.suppliedSecret
  if (!row || !(isDue || needsSecretRead(object, row))) return { ...UNREAD, suppliedSecret }
  return { suppliedSecret, ownedSecret: await readOwnedSecret(context, object, row.id) }
}

function hasSecrets(object: WebhookSubscription): boolean {
  return object.spec.origin !== 'API' && !isLeaving(object)
}

/** Of a generation that was not shown yet, or refused. */
function hasNewWish({ status, metadata }: WebhookSubscription): boolean {
  const isRefused = status?.conditions?.some((each) => each.type === 'Accepted' && each.status === 'False') ?? false
  return isRefused || status?.observedGeneration !== metadata.generation
}

/** Until the Secrets of this object are compared without a reason; 0 or less: now. */
export function secretsDueInMs({ secretsReadAt, clock }: WebhookContext, { metadata }: WebhookSubscription): number {
  const readAt = secretsReadAt.get(metadata.uid ?? '')
  return readAt === undefined ? 0 : readAt + SECRETS_READ_EVERY_MS - clock.elapsedMs()
}

function isServed({ kube, leadership }: WebhookContext): Promise<boolean> {
  return isDefinitionServed(kube, WEBHOOK_SUBSCRIPTIONS, leadership.signal)
}
