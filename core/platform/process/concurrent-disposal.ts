// The end of parts that do not need each other: all at once, so that each has the whole of its grace and none goes on with new work while another ends.

export interface ConcurrentDisposal extends AsyncDisposable {
  /** Ends with the others. */
  use<Part extends AsyncDisposable>(part: Part): Part
  /** Is called with the ends of the others. */
  defer(end: () => Promise<void>): void
}

/** Disposing begins every end, that of the last part first, and resolves when all are over; then it throws the first fault of them. */
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
