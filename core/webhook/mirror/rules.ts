// Pure decisions about webhooks of Kubernetes.

/** What a receiver can be given as a header's key: printable ASCII without spaces, long enough that no one guesses it. */
const USABLE_SECRET = /^[\u0021-\u007e]{16,256}$/

/** False also for a line break at the end, which an editor adds unseen. */
export function isUsableSecret(secret: string): boolean {
  return USABLE_SECRET.test(secret)
}

export function haveSameEvents(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join()
}

interface ObjectAge {
  uid: string
  createdAt: Date
}

/** Whether the first object is the older one; of two of the same second, the one with the lower uid counts as older. */
export function isOlder(one: ObjectAge, other: ObjectAge): boolean {
  const [first, second] = [one.createdAt.getTime(), other.createdAt.getTime()]
  return first === second ? one.uid < other.uid : first < second
}

/** True for a request that was neither carried out nor is open. */
export function isNewRequest(request: string | undefined, ...seen: readonly (string | null)[]): request is string {
  return request !== undefined && !seen.includes(request)
}
