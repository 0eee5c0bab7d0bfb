// The clock of the runtime. Decisions use elapsed time, which no change of the system's date affects; people read wall time.

export interface RuntimeClock {
  /** The date, for people and for fields of objects. */
  wall(): Date
  /** Monotonic milliseconds; only differences have a meaning. */
  elapsedMs(): number
  /** Runs once after this time, however long; disposing cancels it. */
  after(ms: number, run: () => void): Disposable
}

/** The longest delay of a Node timer; a longer one would fire after a millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: RuntimeClock = {
  wall: () => new Date(),
  elapsedMs: () => performance.now(),
  after(ms, run) {
    let left = ms
    let timer: NodeJS.Timeout
    const arm = (): void => {
      const next = Math.min(left, LONGEST_TIMER_MS)
      left -= next
      timer = setTimeout(left > 0 ? arm : run, next)
    }
    arm()
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  },
}

/** Resolves after this time, or when the signal is aborted. */
export async function wait(clock: RuntimeClock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => resolve()
  const timer = clock.after(ms, end)
  signal.addEventListener('abort', end, { once: true })
  await promise
  timer[Symbol.dispose]()
  signal.removeEventListener('abort', end)
}
