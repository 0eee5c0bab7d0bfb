// Which caller gets a free place: owners take turns, so that the many or slow jobs of one delay another by one job of each owner that waits. Pure.

export interface TurnOptions {
  readonly places: number
  /** How many of them one owner has at most. */
  readonly placesPerOwner: number
}

/** Resolved when the caller has a place. */
export type Turn = PromiseWithResolvers<void>

export interface Turns {
  /** How many callers of this owner wait; undefined when the next one gets a place at once. */
  waitingOf(owner: string): number | undefined
  /** Adds a caller. It has to leave once it has had a place. */
  enter(owner: string, turn: Turn): void
  leave(owner: string): void
  /** Ends the wait of this caller, or of all; returns those that were waiting. */
  remove(owner: string, turn: Turn): Turn[]
  removeAll(): Turn[]
  /** Whether every place is free. */
  isIdle(): boolean
}

interface Line {
  running: number
  readonly waiting: Turn[]
}

export function openTurns({ places, placesPerOwner }: TurnOptions): Turns {
  // In the order of their turns; without owners that have no caller.
  const lines = new Map<string, Line>()
  let free = places
  const lineOf = (owner: string): Line => lines.get(owner) ?? { running: 0, waiting: [] }
  const putLast = (owner: string, line: Line): void => {
    lines.delete(owner)
    if (line.running + line.waiting.length > 0) lines.set(owner, line)
  }
  const admit = (): void => {
    const next = free > 0 && [...lines].find(([, { running, waiting }]) => running < placesPerOwner && waiting.length > 0)
    if (!next) return
    const [owner, line] = next
    free--
    line.running++
    line.waiting.shift()?.resolve()
    putLast(owner, line)
    admit()
  }
  return {
    waitingOf(owner) {
      const { running, waiting } = lineOf(owner)
      return free > 0 && running < placesPerOwner ? undefined : waiting.length
    },
    enter(owner, turn) {
      const line = lineOf(owner)
      line.waiting.push(turn)
      lines.set(owner, line)
      admit()
    },
    leave(owner) {
      const line = lineOf(owner)
      line.running--
      free++
      putLast(owner, line)
      admit()
    },
    remove(owner, turn) {
      const line = lineOf(owner)
      const index = line.waiting.indexOf(turn)
      const removed = index < 0 ? [] : line.waiting.splice(index, 1)
      if (line.running + line.waiting.length === 0) lines.delete(owner)
      return removed
    },
    removeAll: () => [...lines.values()].flatMap(({ waiting }) => waiting.splice(0)),
    isIdle: () => free === places,
  }
}
