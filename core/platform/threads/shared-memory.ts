// Memory that threads access without a copy, limited in total: many small pieces at once, or one large one. Pieces are reused, because memory that a
// thread has seen is freed only by that thread's garbage collector, which hardly ever runs in a thread that allocates little.

export type SharedBytes = Uint8Array<SharedArrayBuffer>

export interface SharedMemory {
  /** Calls `work` with memory of this size, with arbitrary content, once there is room, in order of arrival. A piece larger than the total runs
   *  alone. The memory must not be used after `work` has settled. */
  hold<Result>(bytes: number, work: (memory: SharedBytes) => Promise<Result>): Promise<Result>
}

/** Larger pieces are rare, and not kept. */
const MOST_BYTES_KEPT = 8 * 1024 * 1024
const SMALLEST_BYTES = 64 * 1024

/** `size`: the total number of bytes in use at a time. */
export function openSharedMemory(size: number): SharedMemory {
  const waiting: { bytes: number; resolve: () => void }[] = []
  const kept = new Map<number, SharedArrayBuffer[]>()
  let free = size
  const admit = (): void => {
    for (let next = waiting[0]; next && next.bytes <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.bytes
      next.resolve()
    }
  }
  return {
    async hold(wanted, work) {
      const bytes = Math.min(wanted, size)
      await new Promise<void>((resolve) => {
        waiting.push({ bytes, resolve })
        admit()
      })
      try {
        const pieceBytes = pieceFor(wanted)
        const piece = kept.get(pieceBytes)?.pop() ?? new SharedArrayBuffer(pieceBytes)
        const result = await work(new Uint8Array(piece, 0, wanted))
        // Not after an error: an abandoned thread or a socket may still use it.
        if (pieceBytes <= MOST_BYTES_KEPT) kept.set(pieceBytes, [...(kept.get(pieceBytes) ?? []), piece])
        return result
      } finally {
        free += bytes
        admit()
      }
    },
  }
}

/** Powers of two, so that pieces can be reused for other sizes. */
function pieceFor(bytes: number): number {
  return bytes > MOST_BYTES_KEPT ? bytes : Math.max(SMALLEST_BYTES, 2 ** Math.ceil(Math.log2(bytes)))
}
