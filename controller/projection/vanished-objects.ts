// Uids of objects managed in Kubernetes that are gone, by the key that they had, until a reconcile has seen to their rows.
export interface VanishedObjects {
  add: (key: string, uid: string) => void
  of: (key: string) => string[]
  forget: (key: string, uids: readonly string[]) => void
}

export function newVanishedObjects(): VanishedObjects {
  const byKey = new Map<string, Set<string>>()
  return {
    add: (key, uid) => void byKey.set(key, (byKey.get(key) ?? new Set()).add(uid)),
    of: (key) => [...(byKey.get(key) ?? [])],
    forget(key, uids) {
      const left = byKey.get(key)
      for (const uid of uids) left?.delete(uid)
      if (left?.size === 0) byKey.delete(key)
    },
  }
}
