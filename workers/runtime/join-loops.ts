// Several loops as one: a role may do more than one kind of work.
import type { Loop } from './loop.ts'

/** Disposing it stops all of them concurrently. */
export function joinLoops(...loops: readonly Loop[]): Loop {
  return {
    busyForMs: () => Math.max(0, ...loops.map((loop) => loop.busyForMs())),
    releaseLease: async () => {
      await Promise.all(loops.map(async (loop) => loop.releaseLease?.()))
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()))
    },
  }
}
