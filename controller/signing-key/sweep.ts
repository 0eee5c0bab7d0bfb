// Compares all keys with all objects: it finds what a lost notification, a crash or a restore has left.
import { currentTime } from '#core/platform/postgres/clock.ts'
import { listKeys } from '#core/signing-key/list-keys.ts'
import type { SigningKeyView } from '#core/signing-key/signing-key.ts'
import { finishSweep, type Sweep, type SweepWords } from '../projection/finish-sweep.ts'
import type { SweepReport } from '../projection/kind.ts'
import { isSameStatus } from '../resource/shown-status.ts'
import { keyOf } from '../runtime/stored-object.ts'
import type { KeyContext } from './context.ts'
import { plan } from './plan.ts'
import { SIGNING_KEYS, type SigningKeyObject } from './resource.ts'
import { projectedName, type Snapshot } from './snapshot.ts'
import { statusOf } from './status.ts'

interface Findings {
  /** Keys of objects whose rows are there. */
  matched: Set<string>
  projected: number
  managed: number
  lost: { key: string; uid: string }[]
  orphans: SweepReport['orphans']
}

const WORDS: SweepWords = {
  missingRows: 'signing keys that were created outside Kubernetes are missing from the database',
  missingObjects: 'signing keys that were created in Kubernetes have lost their objects',
  notShown: 'imported signing keys are not shown in Kubernetes',
}

/** Queues each object that differs from its row, at low priority; writes nothing itself. */
export async function sweep(given: Sweep<SigningKeyObject, KeyContext>): Promise<SweepReport> {
  const { context, queue } = given
  const found: Findings = { matched: new Set(), projected: 0, managed: 0, lost: [], orphans: [] }
  const now = await currentTime(context.core.database)
  for (const row of await listKeys(context.core)) {
    const key = compare(context, row, found)
    if (key !== undefined && !isSettled(context, key, row, now)) queue.add(key, 'resync')
  }
  const objects = context.store.list()
  const rowless = objects.filter((object) => !found.matched.has(keyOf(object)))
  return finishSweep(given, { ...found, objects, rowless }, WORDS)
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
  found.managed += 1
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

/** Whether a reconcile would change nothing, judged by what is in memory. */
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
