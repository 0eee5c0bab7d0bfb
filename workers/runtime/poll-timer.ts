// Decides when a consumer's loops poll Postgres: one loop at every interval while nothing is due, all of them while there is work.

export interface PollTimer {
  isDue: () => boolean
  /** Runs `wait` with a signal that also aborts when this loop has to poll. */
  until<Result>(signal: AbortSignal, wait: (woken: AbortSignal) => Promise<Result>): Promise<Result>
  /** Reports the result of a poll. */
  report(found: boolean): void
  stop(): void
}

/** Due at once, and then `pollMs` after each poll that found nothing. */
export function startPollTimer(pollMs: number): PollTimer {
  const listening = new Set<AbortController>()
  // Set by the timer instead of compared with a clock: a timer may fire early, and the loop would wait for another interval.
  let due = true
  let timer: NodeJS.Timeout | undefined
  const wakeOne = (): void => {
    due = true
    // Repeats, because the loop that it woke may be running a long job.
    timer = setTimeout(wakeOne, pollMs)
    const [first] = listening
    first?.abort()
  }
  return {
    isDue: () => due,
    async until(signal, wait) {
      const waiting = new AbortController()
      listening.add(waiting)
      const end = (): void => waiting.abort()
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        return await wait(waiting.signal)
      } finally {
        listening.delete(waiting)
        signal.removeEventListener('abort', end)
      }
    },
    report(found) {
      clearTimeout(timer)
      due = found
      if (found) for (const waiting of listening) waiting.abort()
      else timer = setTimeout(wakeOne, pollMs)
    },
    stop: () => clearTimeout(timer),
  }
}
