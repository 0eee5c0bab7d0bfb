// Memory that threads see without a copy, for so many bytes at a time: small pieces of work many at once, the largest alone. It is used again and
// again, because what a thread has seen is freed only when that thread's heap is swept, which for one that allocates little is hardly ever.

export type SharedBytes = Uint8Array<SharedArrayBuffer>

export interface SharedMemory {
  /** Does `work` with memory of so many bytes, of whatever content, once there is room for it; in the order of arrival. What is larger than the whole
   *  room has it to itself. The memory is somebody else's when the work has settled. */
  hold<Result>(bytes: number, work: (memory: SharedBytes) => Promise<Result>): Promise<Result>
}

/** Larger pieces are rare, and not kept. */
const MOST_BYTES_KEPT = 8 * 1024 * 1024
const SMALLEST_BYTES = 64 * 1024

/** Room for `size` bytes at a time. */
export function openSharedMemory(size: number): SharedMemory {
  const waiting: { bytes: number; withSigningLink: () => void }[] = []
  const kept = new Map<number, SharedArrayBuffer[]>()
  let free = size
  const admit = (): void => {
    for (let next = waiting[0]; next && next.bytes <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.bytes
      next.withSigningLink()
    }
  }
  return {
    async hold(wanted, work) {
      const bytes = Math.min(wanted, size)
      await new Promise<void>((withSigningLink) => {
        waiting.push({ bytes, withSigningLink })
        admit()
      })
      try {
        const pieceBytes = pieceFor(wanted)
        const piece = kept.get(pieceBytes)?.pop() ?? new SharedArrayBuffer(pieceBytes)
        const result = await work(new Uint8Array(piece, 0, wanted))
        // Not after a failure: a thread that was given up, or a socket, may still be at it.
        if (pieceBytes <= MOST_BYTES_KEPT) kept.set(pieceBytes, [...(kept.get(pieceBytes) ?? []), piece])
        return result
      } finally {
        free += bytes
        admit()
      }
    },
  }
}

/** Powers of two, so that pieces fit the next work as well. */
function pieceFor(bytes: number): number {
  return bytes > MOST_BYTES_KEPT ? bytes : Math.max(SMALLEST_BYTES, 2 ** Math.ceil(Math.log2(bytes)))
}
