// The time limit of an attempt or of a part of it.
import { AttemptError } from './attempt-error.ts'
import type { FailureCode } from '../failure.ts'

export interface Deadline extends Disposable {
  /** Aborts with an AttemptError as its reason. */
  signal: AbortSignal
}

/** Ends after this time with `code`, or together with the outer signal: with the outer reason if that is an AttemptError, else with ABORTED. Unlike
 *  AbortSignal.any it leaves nothing behind on an outer signal that lives as long as the process. */
export function newDeadline(milliseconds: number, code: FailureCode, outer?: AbortSignal): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new AttemptError({ code })), milliseconds)
  const onOuter = (): void => {
    const reason: unknown = outer?.reason
    controller.abort(reason instanceof AttemptError ? reason : new AttemptError({ code: 'ABORTED' }, reason))
  }
  if (outer?.aborted) onOuter()
  outer?.addEventListener('abort', onOuter, { once: true })
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}
