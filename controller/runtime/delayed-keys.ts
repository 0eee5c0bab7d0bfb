// Keys that are due later. A key has one due time: the earliest that was asked for.
import type { RuntimeClock } from './runtime-clock.ts'

interface Entry {
  key: string
  dueAt: number
}

export interface DelayedKeys extends Disposable {
  /** Calls `due` with the key after this time, or at an earlier time that was set before. */
  add(key: string, ms: number): void
  readonly size: number
}

/** One timer for all keys, set to the earliest. */
export function newDelayedKeys(clock: RuntimeClock, due: (key: string) => void): DelayedKeys {
  const heap: Entry[] = []
  const dueAt = new Map<string, number>()
  let timer: { at: number; handle: Disposable } | undefined

  return {
    get size() {
      return dueAt.size
    },
    add(key, ms) {
      const at = clock.elapsedMs() + ms
      const known = dueAt.get(key)
      if (known !== undefined && known <= at) return
      dueAt.set(key, at)
      push(heap, { key, dueAt: at })
      arm()
    },
    [Symbol.dispose]() {
      timer?.handle[Symbol.dispose]()
      timer = undefined
      heap.length = 0
      dueAt.clear()
    },
  }

  function arm(): void {
    const next = heap[0]
    if (timer && next && timer.at <= next.dueAt) return
    timer?.handle[Symbol.dispose]()
    timer = next && { at: next.dueAt, handle: clock.after(Math.max(0, next.dueAt - clock.elapsedMs()), fire) }
  }

  function fire(): void {
    timer = undefined
    const now = clock.elapsedMs()
    for (let next = heap[0]; next && next.dueAt <= now; next = heap[0]) {
      pop(heap)
      // An entry is outdated when the key got an earlier time.
      if (dueAt.get(next.key) !== next.dueAt) continue
      dueAt.delete(next.key)
      due(next.key)
    }
    arm()
  }
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (dueOf(heap, parent) <= entry.dueAt) break
    swap(heap, index, parent)
    index = parent
  }
}

function pop(heap: Entry[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  heap[0] = last
  let index = 0
  for (;;) {
    const left = 2 * index + 1
    const smaller = dueOf(heap, left + 1) < dueOf(heap, left) ? left + 1 : left
    if (dueOf(heap, smaller) >= last.dueAt) break
    swap(heap, index, smaller)
    index = smaller
  }
}

function dueOf(heap: readonly Entry[], index: number): number {
  return heap[index]?.dueAt ?? Infinity
}

function swap(heap: Entry[], one: number, other: number): void {
  const [first, second] = [heap[one], heap[other]]
  if (first && second) [heap[one], heap[other]] = [second, first]
}
