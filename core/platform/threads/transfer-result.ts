// How the function of a thread returns large answers: their memory goes over to who asked, instead of being cloned.
import { move, transferableSymbol, valueSymbol } from 'piscina'

/** Who asked gets what `valueSymbol` holds. */
export interface Given<Answer> {
  readonly [transferableSymbol]: readonly ArrayBuffer[]
  readonly [valueSymbol]: Answer
}

/** To be returned by the function of a thread. The memory in `given`, all of which the answer leads to, is gone from the thread. */
export function transferResult<Answer extends object>(answer: Answer, given: readonly ArrayBuffer[]): Given<Answer> {
  const movable = { [transferableSymbol]: given, [valueSymbol]: answer }
  move(movable)
  return movable
}
