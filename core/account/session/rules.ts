// How failed sign-ins delay further attempts.
import {
  FIRST_SIGN_IN_PAUSE_SECONDS,
  FREE_SIGN_IN_FAILURES,
  LONGEST_SIGN_IN_PAUSE_SECONDS,
  SIGN_IN_FAILURES_KEPT_SECONDS,
} from '#core/limits.ts'

/** What is counted: the account, the client's address, or a browser that has signed this person in before. */
export type CounterKind = keyof typeof FREE_SIGN_IN_FAILURES

export interface Counter {
  kind: CounterKind
  failures: number
  /** Since the last failure. */
  quietSeconds: number
  /** Until the next attempt is checked; 0 or less: now. */
  pausedSeconds: number
}

/** The failures that still count. */
export function failuresOf({ kind, failures, quietSeconds }: Counter): number {
  return quietSeconds < SIGN_IN_FAILURES_KEPT_SECONDS[kind] ? failures : 0
}

/** The pause after the `failures`-th failure: none at first, then doubled each time, up to the cap. */
export function pauseSeconds(kind: CounterKind, failures: number): number {
  const beyond = failures - FREE_SIGN_IN_FAILURES[kind]
  return beyond < 0 ? 0 : Math.min(FIRST_SIGN_IN_PAUSE_SECONDS * 2 ** beyond, LONGEST_SIGN_IN_PAUSE_SECONDS)
}

/** The longest pause of the counters in whole seconds; 0 when the next attempt may be checked. */
export function waitSeconds(counters: readonly Counter[]): number {
  return Math.max(0, ...counters.map(({ pausedSeconds }) => Math.ceil(pausedSeconds)))
}
