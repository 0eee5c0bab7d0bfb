// A runtime clock that runs with real time, and that a test can move forward.
import type { RuntimeClock } from '../../controller/runtime/runtime-clock.ts'

interface Timer {
  at: number
  run: () => void
  handle?: NodeJS.Timeout
}

export class SkippingClock implements RuntimeClock {
  #skipped = 0
  readonly #timers = new Set<Timer>()

  wall(): Date {
    return new Date()
  }

  elapsedMs(): number {
    return performance.now() + this.#skipped
  }

  after(ms: number, run: () => void): Disposable {
    const timer: Timer = { at: this.elapsedMs() + ms, run }
    this.#timers.add(timer)
    this.#arm(timer)
    return {
      [Symbol.dispose]: () => {
        clearTimeout(timer.handle)
        this.#timers.delete(timer)
      },
    }
  }

  /** Time passes at once. */
  skip(ms: number): void {
    this.#skipped += ms
    for (const timer of this.#timers) this.#arm(timer)
  }

  #arm(timer: Timer): void {
    clearTimeout(timer.handle)
    timer.handle = setTimeout(
      () => {
        this.#timers.delete(timer)
        timer.run()
      },
      Math.max(0, timer.at - this.elapsedMs()),
    )
  }
}
