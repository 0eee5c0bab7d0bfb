// Gathers the facts of one reconcile.
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { readMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { readRequestedSecret } from '#core/webhook/mirror/request-secret.ts'
import { isDefinitionServed } from '../projection/definitions.ts'
import { readLive } from '../projection/object-writes.ts'
import { needsLiveRead } from '../projection/rollback.ts'
import type { WebhookContext, WebhookProgress } from './context.ts'
import { needsSecretCheck } from './freshness.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import { isSecretGone } from './secrets.ts'
import { PROJECTED_NAME, type Snapshot, type ReferencedSecret } from './snapshot.ts'
import { referenceOf, referencedSecretOf } from './referenced-secret.ts'

const SECRETS_CHECKED_EVERY_MS = 60 * 60_000

/** Reads the database, and of Kubernetes what the cache cannot say. */
export async function observe(context: WebhookContext, key: string, progress: WebhookProgress): Promise<Snapshot> {
  const [namespace = '', name = ''] = key.split('/')
  const found = await findBoth(context, key, progress)
  const { object, row } = found
  return {
    namespace,
    name,
    ...found,
    referencedSecret: await readReferenced(context, object, row),
    isSecretGone: await checkSecret(context, object, row),
    refusal: progress.refusal,
    adoptionRefusal: progress.adoptionRefusal,
    isApplied: {
      probeRequest: progress.probeRequest,
      rotationRequest: progress.rotationRequest,
    },
    holdsDeletions: context.holdsDeletions(),
    isKindDeleted: isTerminating(object) && row !== undefined && !(await isServed(context)),
    hasRoom: object !== undefined || context.hasRoom(),
    now: context.clock.wall(),
  }
}

function isTerminating(object: WebhookSubscription | undefined): boolean {
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
  const isOutdated = context.outdated.has(key) || needsLiveRead(cached, rows.row, rows.vanished.length > 0)
  if (isKnown || !isOutdated) return { object: cached, ...rows }
  const [namespace = '', name = ''] = key.split('/')
  const object = await readLive<WebhookSubscription>(context, WEBHOOK_SUBSCRIPTIONS, { namespace, name })
  context.outdated.delete(key)
  return { object, ...(await readRows(context, key, object)) }
}

async function readRows(context: WebhookContext, key: string, object: WebhookSubscription | undefined): Promise<Rows> {
  const vanished = await readVanished(context, key, object?.metadata.uid)
  if (object && object.spec.origin !== 'API') return { vanished, ...(await readManaged(context, object)) }
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

async function readManaged({ core }: WebhookContext, { metadata, status }: WebhookSubscription): Promise<Omit<Rows, 'vanished'>> {
  const { uid } = metadata
  const row = await readMirrored(core, { uid })
  if (row?.origin === 'KUBERNETES') return { row }
  const shown = status?.subscriptionId === undefined ? undefined : await readMirrored(core, { id: status.subscriptionId })
  return { row: undefined, takenOver: shown?.object ? shown : undefined }
}

async function readReferenced(
  { core }: WebhookContext,
  object: WebhookSubscription | undefined,
  row: MirroredWebhook | undefined,
): Promise<ReferencedSecret> {
  if (!object || !hasSecret(object)) return { kind: 'UNREAD' }
  const reference = referenceOf(object, row)
  return reference ? referencedSecretOf(reference, await readRequestedSecret(core, object.metadata.uid)) : { kind: 'NONE' }
}

async function checkSecret(
  context: WebhookContext,
  object: WebhookSubscription | undefined,
  row: MirroredWebhook | undefined,
): Promise<boolean> {
  if (!object || !row || !hasSecret(object)) return false
  return (needsSecretCheck(object, row) || secretCheckDueInMs(context, object) <= 0) && isSecretGone(context, row)
}

function hasSecret(object: WebhookSubscription): boolean {
  return object.spec.origin !== 'API' && !isTerminating(object)
}

/** Until the Secret of this object is checked without a reason; 0 or less: now. */
export function secretCheckDueInMs({ secretsCheckedAt, clock }: WebhookContext, { metadata }: WebhookSubscription): number {
  const checkedAt = secretsCheckedAt.get(metadata.uid)
  return checkedAt === undefined ? 0 : checkedAt + SECRETS_CHECKED_EVERY_MS - clock.elapsedMs()
}

function isServed({ kube, leadership }: WebhookContext): Promise<boolean> {
  return isDefinitionServed(kube, WEBHOOK_SUBSCRIPTIONS, leadership.signal)
}
