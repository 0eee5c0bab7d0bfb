// The objects of one kind in memory, by key and by the values of indexes.

export interface ObjectStore<T> {
  /** Returns the object with the key `namespace/name`. */
  get(key: string): T | undefined
  list(): T[]
  /** The objects for which the index gave this value. Throws for an index that was not declared. */
  by(index: string, value: string): T[]
  readonly size: number
}

export interface WritableStore<T> extends ObjectStore<T> {
  /** Stores the object and returns the one before. */
  put(key: string, object: T): T | undefined
  /** Removes the object and returns it. */
  remove(key: string): T | undefined
  keys(): string[]
}

export type Indexes<T> = Record<string, (object: T) => string[]>

/** An empty store with these indexes. */
export function newObjectStore<T>(indexes: Indexes<T> = {}): WritableStore<T> {
  const objects = new Map<string, T>()
  const keysOf = new Map(Object.keys(indexes).map((name) => [name, new Map<string, Set<string>>()]))
  return {
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    keys: () => [...objects.keys()],
    get size() {
      return objects.size
    },
    by(index, value) {
      const values = keysOf.get(index)
      if (!values) throw new Error(`there is no index ${index}`)
      return [...(values.get(value) ?? [])].flatMap((key) => objects.get(key) ?? [])
    },
    put(key, object) {
      const before = objects.get(key)
      if (before !== undefined) removeFromIndexes(key, before)
      objects.set(key, object)
      addToIndexes(key, object)
      return before
    },
    remove(key) {
      const before = objects.get(key)
      if (before === undefined) return undefined
      removeFromIndexes(key, before)
      objects.delete(key)
      return before
    },
  }

  function addToIndexes(key: string, object: T): void {
    for (const [name, values] of keysOf)
      for (const value of indexes[name]?.(object) ?? []) {
        const keys = values.get(value)
        if (keys) keys.add(key)
        else values.set(value, new Set([key]))
      }
  }

  function removeFromIndexes(key: string, object: T): void {
    for (const [name, values] of keysOf)
      for (const value of indexes[name]?.(object) ?? []) {
        const keys = values.get(value)
        keys?.delete(key)
        if (keys?.size === 0) values.delete(value)
      }
  }
}
