// A runtime clock that stands still until the test moves it.
import type { RuntimeClock } from '../../controller/runtime/runtime-clock.ts'

interface Timer {
  at: number
  run: () => void
}

export class FakeRuntimeClock implements RuntimeClock {
  #now = 0
  #wallOffset: number
  readonly #timers = new Set<Timer>()

  constructor(start = new Date('2026-11-25T00:00:00Z')) {
    this.#wallOffset = start.getTime()
  }

  wall(): Date {
    return new Date(this.#wallOffset + this.#now)
  }

  elapsedMs(): number {
    return this.#now
  }

  after(ms: number, run: () => void): Disposable {
    const timer = { at: this.#now + ms, run }
    this.#timers.add(timer)
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) }
  }

  /** Runs what is due in its order; after each timer everything that follows from it without time passing. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    await settle()
    for (let next = this.#earliest(end); next; next = this.#earliest(end)) {
      this.#now = Math.max(this.#now, next.at)
      this.#timers.delete(next)
      next.run()
      await settle()
    }
    this.#now = end
  }

  /** Moves the time without running timers, as when the process was paused. */
  pause(ms: number): void {
    this.#now += ms
  }

  /** Changes the date alone. */
  setWall(date: Date): void {
    this.#wallOffset = date.getTime() - this.#now
  }

  get pendingTimers(): number {
    return this.#timers.size
  }

  #earliest(end: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
  }
}

/** Until all promises that need no time are settled. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await new Promise<void>((resolve) => setImmediate(resolve))
}
