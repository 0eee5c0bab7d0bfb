// The changes of rows that wait for the reconcile of their object, by the object's key.
import type { MirrorChange } from '#core/mirror/mirror-change.ts'

export interface PendingChanges {
  /** False when this change is known already. */
  isNew: (change: MirrorChange) => boolean
  add: (key: string, change: MirrorChange) => void
  /** What a reconcile that starts now will show. */
  of: (key: string) => MirrorChange[]
  /** The reconcile has shown them. */
  remove: (key: string, changes: readonly MirrorChange[]) => void
}

export function newPendingChanges(): PendingChanges {
  const byKey = new Map<string, MirrorChange[]>()
  const seen = new Map<string, number>()
  return {
    isNew: ({ kind, id, seq }) => (seen.get(`${kind}/${id}`) ?? -1) < seq,
    add(key, change) {
      seen.set(`${change.kind}/${change.id}`, change.seq)
      byKey.set(key, [...(byKey.get(key) ?? []), change])
    },
    of: (key) => byKey.get(key) ?? [],
    remove(key, changes) {
      for (const { kind, id, seq } of changes) if (seen.get(`${kind}/${id}`) === seq) seen.delete(`${kind}/${id}`)
      const left = (byKey.get(key) ?? []).filter((change) => !changes.includes(change))
      if (left.length > 0) byKey.set(key, left)
      else byKey.delete(key)
    },
  }
}
