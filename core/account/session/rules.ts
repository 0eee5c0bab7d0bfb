// How failed sign-ins slow the next ones down, by what they have in common.
import {
  FIRST_SIGN_IN_PAUSE_SECONDS,
  FREE_SIGN_IN_FAILURES,
  LONGEST_SIGN_IN_PAUSE_SECONDS,
  SIGN_IN_FAILURES_KEPT_SECONDS,
} from '#core/limits.ts'

/** The account that was tried, the address that tried, or the one browser that is known to have signed that person in. */
export type CounterKind = keyof typeof FREE_SIGN_IN_FAILURES

export interface Counter {
  kind: CounterKind
  failures: number
  /** Since the last failure. */
  quietSeconds: number
  /** Until the next try is looked at; 0 or less: now. */
  pausedSeconds: number
}

/** The failures that still count. */
export function failuresOf({ kind, failures, quietSeconds }: Counter): number {
  return quietSeconds < SIGN_IN_FAILURES_KEPT_SECONDS[kind] ? failures : 0
}

/** How long after its `failures`-th failure a counter lets nobody try: nothing at first, then twice as long each time, up to the cap. */
export function pauseSeconds(kind: CounterKind, failures: number): number {
  const beyond = failures - FREE_SIGN_IN_FAILURES[kind]
  return beyond < 0 ? 0 : Math.min(FIRST_SIGN_IN_PAUSE_SECONDS * 2 ** beyond, LONGEST_SIGN_IN_PAUSE_SECONDS)
}

/** The longest pause among the counters in whole seconds; 0 when the next try may be looked at. */
export function waitSeconds(counters: readonly Counter[]): number {
  return Math.max(0, ...counters.map(({ pausedSeconds }) => Math.ceil(pausedSeconds)))
}
