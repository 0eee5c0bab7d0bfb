// Compares all webhooks with all objects: it finds what a lost notification, a crash or a restore has left.
import type { WebhookId } from '#core/ids.ts'
import { listMirrored } from '#core/webhook/mirror/read-mirrored.ts'
import { forgetGoneObjects } from '#core/webhook/mirror/secret-objects.ts'
import type { MirroredWebhook } from '#core/webhook/mirror/mirrored-webhook.ts'
import { finishSweep, type Sweep, type SweepWords } from '../projection/finish-sweep.ts'
import type { SweepReport } from '../projection/kind.ts'
import { isSameStatus } from '../resource/shown-status.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'
import type { WebhookContext } from './context.ts'
import { secretCheckDueInMs } from './observe.ts'
import { plan } from './plan.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from './resource.ts'
import { projectedName, type Snapshot } from './snapshot.ts'
import { statusOf } from './status.ts'

const PAGE = 500

interface Findings {
  /** Ids of the rows created in the panel. */
  projected: Set<string>
  /** Uids of the objects of the rows managed in Kubernetes. */
  managed: Set<string>
  lost: { key: string; uid: string }[]
  orphans: SweepReport['orphans']
}

const WORDS: SweepWords = {
  missingRows: 'webhooks that were created in the panel are missing from the database',
  missingObjects: 'webhooks that were created in Kubernetes have lost their objects',
  notShown: 'webhooks of the panel are not shown in Kubernetes',
}

/** Queues each object that differs from its row, or whose Secret is due to be checked, at low priority; writes no object itself. */
export async function sweep(given: Sweep<WebhookSubscription, WebhookContext>): Promise<SweepReport> {
  const { context, queue } = given
  const found: Findings = { projected: new Set(), managed: new Set(), lost: [], orphans: [] }
  let after: WebhookId | undefined
  for (;;) {
    const page = await listMirrored(context.core, { after, limit: PAGE })
    for (const row of page) compare(context, queue, row, found)
    if (page.length < PAGE) break
    after = page.at(-1)?.id
  }
  const objects = context.store.list()
  await forgetGoneObjects(context.core, context.leadership.fence, uidsOf(objects))
  const { projected, managed, lost, orphans } = found
  const rowless = objects.filter((object) => !hasRow(object, found))
  const sums = { projected: projected.size, managed: managed.size, lost, orphans, objects, rowless }
  return finishSweep(given, sums, WORDS)
}

function uidsOf(objects: readonly WebhookSubscription[]): string[] {
  return objects.flatMap(({ metadata: { uid }, spec }) => (spec.origin !== 'API' ? [uid] : []))
}

function compare(context: WebhookContext, queue: WorkQueue, row: MirroredWebhook, found: Findings): void {
  const { origin, object: shown } = row
  const key = origin === 'API' || !shown ? `${context.namespace}/${projectedName(row.id)}` : `${shown.namespace}/${shown.name}`
  const object = context.store.get(key)
  if (origin === 'API') found.projected.add(row.id)
  else if (shown && object?.metadata.uid !== shown.uid) return noteLost(row, shown, found)
  else if (shown) found.managed.add(shown.uid)
  if (!object || !isSettled(context, key, object, row)) queue.add(key, 'resync')
}

function isCheckDue(context: WebhookContext, object: WebhookSubscription): boolean {
  return object.spec.origin !== 'API' && secretCheckDueInMs(context, object) <= 0
}

function noteLost({ id, orphanedAt }: MirroredWebhook, object: NonNullable<MirroredWebhook['object']>, found: Findings): void {
  const { namespace, name, uid } = object
  if (!orphanedAt) found.lost.push({ key: `${namespace}/${name}`, uid })
  else found.orphans.push({ kind: WEBHOOK_SUBSCRIPTIONS.kind, id, namespace, name, since: orphanedAt.toISOString() })
}

/** Whether a reconcile would change nothing, judged by what is in memory; false while its Secret is due to be checked. */
function isSettled(context: WebhookContext, key: string, object: WebhookSubscription, row: MirroredWebhook): boolean {
  if (isCheckDue(context, object)) return false
  const snapshot: Snapshot = {
    namespace: context.namespace,
    name: key.slice(key.indexOf('/') + 1),
    object,
    row,
    vanished: [],
    referencedSecret: { kind: 'UNREAD' },
    isSecretGone: false,
    isApplied: {},
    holdsDeletions: false,
    isKindDeleted: false,
    hasRoom: true,
    now: context.clock.wall(),
  }
  const planned = plan(snapshot)
  return planned.effects.length === 0 && isSameStatus(object.status, statusOf(snapshot, planned))
}

function hasRow({ spec, metadata }: WebhookSubscription, { projected, managed }: Findings): boolean {
  if (spec.origin !== 'API') return managed.has(metadata.uid)
  return projected.has(metadata.name.replace(/^api-/, ''))
}
