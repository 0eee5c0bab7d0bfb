// Disposes independent resources concurrently, so that each gets the full grace period and none starts new work while another stops.

export interface ConcurrentDisposal extends AsyncDisposable {
  /** Disposes it with the others. */
  use<Part extends AsyncDisposable>(part: Part): Part
  /** Calls `end` with the disposal of the others. */
  defer(end: () => Promise<void>): void
}

/** Disposing starts with the last resource and waits for all of them; then it throws the first error. */
export function newConcurrentDisposal(): ConcurrentDisposal {
  const ends: (() => PromiseLike<void>)[] = []
  return {
    use(part) {
      ends.unshift(() => part[Symbol.asyncDispose]())
      return part
    },
    defer: (end) => void ends.unshift(end),
    async [Symbol.asyncDispose]() {
      const ended = ends.splice(0).map(async (end) => end())
      await Promise.allSettled(ended)
      await Promise.all(ended)
    },
  }
}
