// Caches what was read last, up to a total weight. Two generations approximate the order of use cheaply.

export interface ObjectCache<Value> {
  get(key: number): Value | undefined
  set(key: number, value: Value, weight: number): void
}

/** Creates a cache that holds at most about `capacity` in weight, and always the newest value. */
export function newObjectCache<Value>(capacity: number): ObjectCache<Value> {
  let young = new Map<number, Value>()
  let old = new Map<number, Value>()
  let weightOfYoung = 0
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set(key, value, weight) {
      if (weightOfYoung + weight > capacity / 2) {
        old = young
        young = new Map()
        weightOfYoung = 0
      }
      young.set(key, value)
      weightOfYoung += weight
    },
  }
}
