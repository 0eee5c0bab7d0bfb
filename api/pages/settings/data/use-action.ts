// A change request to the service: whether it is running, and its last failure.
import { useCallback, useRef, useState } from 'react'
import type { Failure, Outcome } from '../../http/failure.ts'

export interface Action<Input> {
  /** Runs it unless it is running. True if it succeeded. */
  run: (input: Input) => Promise<boolean>
  isRunning: boolean
  failure: Failure | undefined
  /** Clears the last failure. */
  reset: () => void
}

/** `onDone` receives the response of a successful change. */
export function useAction<Value, Input = void>(
  perform: (input: Input) => Promise<Outcome<Value>>,
  onDone: (value: Value, input: Input) => void,
): Action<Input> {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const running = useRef(false)

  const run = async (input: Input): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setRunning(true)
    setFailure(undefined)
    const outcome = await perform(input)
    running.current = false
    setRunning(false)
    if (outcome.ok) onDone(outcome.value, input)
    else setFailure(outcome.failure)
    return outcome.ok
  }
  const reset = useCallback(() => setFailure(undefined), [])
  return { run, isRunning, failure, reset }
}
