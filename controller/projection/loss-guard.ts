// Stops deletions when so much disappeared at once that it is more likely an accident than intended: a restore, a wrong namespace, a deleted definition.
import type { RuntimeClock } from '../runtime/runtime-clock.ts'
import { STATUS_MAP } from './status-map.ts'

/** A few are always plausible. */
const PLAUSIBLE = 2
const PLAUSIBLE_SHARE = 0.1

export interface Loss {
  /** The end of a sentence that begins with the number. */
  what: string
  missing: number
  known: number
}

export interface LossGuard {
  holds: () => boolean
  /** Begins to hold when one of these is too large; ends when none is any more, or when a human accepts it. */
  judge: (losses: readonly Loss[], accepted: () => Promise<string | undefined>) => Promise<void>
  /** Sentences for people. */
  problems: () => string[]
}

/** True beyond a tenth of those known. */
export function isMassLoss({ missing, known }: Pick<Loss, 'missing' | 'known'>): boolean {
  return missing > PLAUSIBLE && missing > known * PLAUSIBLE_SHARE
}

/** Nothing is held at first. */
export function newLossGuard(namespace: string, clock: RuntimeClock): LossGuard {
  let held: { since: string; losses: readonly Loss[] } | undefined
  return {
    holds: () => held !== undefined,
    async judge(all, accepted) {
      const losses = all.filter(isMassLoss)
      if (losses.length === 0) held = undefined
      else {
        const since = held?.since ?? clock.wall().toISOString()
        held = { since, losses }
        if ((await accepted()) === since) held = undefined
      }
    },
    problems: () =>
      (held?.losses ?? []).map(({ what, missing, known }) => {
        const accept = `kubectl -n ${namespace} annotate --overwrite configmap ${STATUS_MAP} sealwright.io/accept-loss=${held?.since}`
        return `${missing} of ${known} ${what}. Nothing is deleted or marked as orphaned until they are back or a human accepts it: ${accept}`
      }),
  }
}
