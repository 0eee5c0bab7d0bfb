// Ends synchronous work at a time limit, in the middle of a loop or a regular expression. Native code is ended when it returns.
import { isNativeError } from 'node:util/types'
import { type Context, createContext, Script } from 'node:vm'

const RUN = new Script('run()')
let context: Context | undefined

export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/** The result of the work. Throws TimeLimitError when it takes longer, and what the work throws. */
export function runWithin<Result>(milliseconds: number, work: () => Result): Result {
  let result: { value: Result } | undefined
  context ??= createContext({ run: undefined })
  context['run'] = (): void => {
    result = { value: work() }
  }
  try {
    RUN.runInContext(context, { timeout: milliseconds })
  } catch (error) {
    if (isTimeout(error)) throw new TimeLimitError(`It takes longer than ${milliseconds / 1000} s.`, { cause: error })
    throw error
  }
  if (result === undefined) throw new Error('the work ended without a result')
  return result.value
}

/** The error is one of the other context, so it is no instance of our Error. */
function isTimeout(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
