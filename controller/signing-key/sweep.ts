// Compares all keys with all objects: it finds what a lost notification, a crash or a restore has left.
import { currentTime } from '#core/platform/postgres/clock.ts'
import { listKeys } from '#core/signing-key/list-keys.ts'
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import type { SweepReport } from '../projection/kind.ts'
import type { LossGuard } from '../projection/loss-guard.ts'
import { isSameStatus } from '../resource/shown-status.ts'
import { keyOf } from '../runtime/stored-object.ts'
import type { WorkQueue } from '../runtime/work-queue.ts'
import type { KeyContext } from './context.ts'
import { plan } from './plan.ts'
import { SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import { projectedName, type Snapshot } from './snapshot.ts'
import { statusOf } from './status.ts'

interface Findings {
  /** Keys of objects whose rows are there. */
  matched: Set<string>
  projected: number
  authored: number
  lost: { key: string; uid: string }[]
  orphans: SweepReport['orphans']
}

/** Queues each object that differs from its row, at low priority; writes nothing itself. */
export async function sweep(context: KeyContext, queue: WorkQueue, guard: LossGuard, mirrorMax: number): Promise<SweepReport> {
  const found: Findings = { matched: new Set(), projected: 0, authored: 0, lost: [], orphans: [] }
  const now = await currentTime(context.core.database)
  for (const row of await listKeys(context.core)) {
    const key = compare(context, row, found)
    if (key !== undefined && !isSettled(context, key, row, now)) queue.add(key, 'resync')
  }
  const rowless = context.store.list().filter((object) => !found.matched.has(keyOf(object)))
  await judgeLoss(context, guard, found, rowless)
  for (const { key, uid } of found.lost) {
    context.vanished.add(key, uid)
    queue.add(key, 'resync')
  }
  for (const object of rowless) queue.add(keyOf(object), 'resync')
  return { orphans: found.orphans, problems: [...guard.problems(), ...beyondLimit(found, mirrorMax)] }
}

/** The key of the row's object; undefined for a row without one. */
function compare({ store, namespace }: KeyContext, row: SigningKeyView, found: Findings): string | undefined {
  if (row.origin === 'API') {
    const key = `${namespace}/${projectedName(row)}`
    found.projected += 1
    found.matched.add(key)
    return key
  }
  // The key of a deleted object.
  if (!row.object) return undefined
  const { namespace: place, name, uid } = row.object
  const key = `${place}/${name}`
  if (store.get(key)?.metadata.uid !== uid) {
    noteLost(row, { key, uid, name, namespace: place }, found)
    return undefined
  }
  found.authored += 1
  found.matched.add(key)
  return key
}

function noteLost(
  { id, orphanedAt, state }: SigningKeyView,
  { key, uid, name, namespace }: { key: string; uid: string; name: string; namespace: string },
  found: Findings,
): void {
  if (!orphanedAt) found.lost.push({ key, uid })
  else if (state !== 'RETIRED')
    found.orphans.push({ kind: SIGNING_KEYS.kind, id, namespace, name, since: orphanedAt.toISOString() })
}

/** By the same decisions as a reconcile, with what is in memory. */
function isSettled({ store, namespace, hasRoom }: KeyContext, key: string, row: SigningKeyView, now: Date): boolean {
  const object = store.get(key)
  const snapshot: Snapshot = {
    namespace,
    name: key.slice(key.indexOf('/') + 1),
    object,
    row,
    vanished: [],
    certificate: { kind: 'UNREAD' },
    holdsDeletions: false,
    isKindDeleted: false,
    hasRoom: hasRoom(),
    now,
  }
  const planned = plan(snapshot)
  return planned.effects.length === 0 && (!object || isSameStatus(object.status, statusOf(snapshot, planned)))
}

/** Objects without rows are deleted, and rows without objects marked, unless there are too many of either. */
async function judgeLoss(
  context: KeyContext,
  guard: LossGuard,
  { authored, lost }: Findings,
  rowless: readonly SigningKeyObject[],
): Promise<void> {
  const isProjected = ({ spec }: SigningKeyObject) => spec.origin === 'API'
  const known = context.store.list().filter(isProjected).length
  await guard.judge(
    [
      {
        what: 'signing keys that were created outside Kubernetes are missing from the database',
        missing: rowless.filter(isProjected).length,
        known,
      },
      {
        what: 'signing keys that were created in Kubernetes have lost their objects',
        missing: lost.length,
        known: authored + lost.length,
      },
    ],
    context.leadership.acceptedLoss,
  )
}

function beyondLimit({ projected }: Findings, mirrorMax: number): string[] {
  const beyond = projected - mirrorMax
  if (beyond <= 0) return []
  return [
    `${beyond} imported signing keys are not shown in Kubernetes: SEALWRIGHT_MIRROR_MAX is ${mirrorMax}. They work as the others do.`,
  ]
}
