// The bell of a single process: an emitter. Whoever is not listening misses it and finds the work at the next poll.
import { EventEmitter } from 'node:events'
import type { Bell } from './bell.ts'

/** A bell for relay and workers in one process. */
export function inProcessBell(): Bell {
  const emitter = new EventEmitter()
  return {
    async publish(subject) {
      emitter.emit(subject)
    },
    consume(subject, handler) {
      emitter.on(subject, handler)
      return { [Symbol.dispose]: () => void emitter.off(subject, handler) }
    },
  }
}
