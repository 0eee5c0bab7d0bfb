// Large results of a thread: their memory is transferred to the caller instead of being cloned.
import { move, transferableSymbol, valueSymbol } from 'piscina'

/** The caller receives the content of `valueSymbol`. */
export interface Given<Answer> {
  readonly [transferableSymbol]: readonly ArrayBuffer[]
  readonly [valueSymbol]: Answer
}

/** Returned by a thread's function. The memory in `given`, all of which the answer refers to, is detached from the thread. */
export function transferResult<Answer extends object>(answer: Answer, given: readonly ArrayBuffer[]): Given<Answer> {
  const movable = { [transferableSymbol]: given, [valueSymbol]: answer }
  move(movable)
  return movable
}
