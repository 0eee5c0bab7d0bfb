// Reads an object until it is as wanted.
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 500

export interface Waited<T> {
  object: T
  isDone: boolean
}

/** Reads until `isDone` or until `timeoutMs` have passed; the last object says how far it came. */
export async function waitUntil<T>(
  read: () => Promise<T>,
  isDone: (object: T) => boolean,
  timeoutMs: number,
): Promise<Waited<T>> {
  const until = performance.now() + timeoutMs
  for (;;) {
    const object = await read()
    if (isDone(object)) return { object, isDone: true }
    const leftMs = until - performance.now()
    if (leftMs <= 0) return { object, isDone: false }
    await sleep(Math.min(POLL_MS, leftMs))
  }
}
