// When the lanes of a role look into Postgres: one of them at every poll while there is nothing, all of them for as long as there is work.

export interface PollTimer {
  isDue: () => boolean
  /** Waits for what `wait` waits for, with a signal that also ends it when this lane is to look. */
  until<Result>(signal: AbortSignal, wait: (woken: AbortSignal) => Promise<Result>): Promise<Result>
  /** What a look has found. */
  tell(found: boolean): void
  stop(): void
}

/** Due at once, and then `pollMs` after each look that found nothing. */
export function startPollTimer(pollMs: number): PollTimer {
  const listening = new Set<AbortController>()
  // Said by the timer, not read off a clock: by that it may fire early, and the lane that it woke would wait for another round.
  let due = true
  let timer: NodeJS.Timeout | undefined
  const wakeOne = (): void => {
    due = true
    // Again and again: the lane that it woke may be at one piece for long.
    timer = setTimeout(wakeOne, pollMs)
    const [first] = listening
    first?.abort()
  }
  return {
    isDue: () => due,
    async until(signal, wait) {
      const lane = new AbortController()
      listening.add(lane)
      const end = (): void => lane.abort()
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        return await wait(lane.signal)
      } finally {
        listening.delete(lane)
        signal.removeEventListener('abort', end)
      }
    },
    tell(found) {
      clearTimeout(timer)
      due = found
      if (found) for (const lane of listening) lane.abort()
      else timer = setTimeout(wakeOne, pollMs)
    },
    stop: () => clearTimeout(timer),
  }
}
