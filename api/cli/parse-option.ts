// Options are read by the same shapes as the API's fields; what does not fit is wrong usage.
import { InvalidArgumentError } from 'commander'
import type { z } from 'zod'

/** A parser for commander. Throws InvalidArgumentError in the words of the shape. */
export function parsed<Value>(shape: z.ZodType<Value>) {
  return (given: string): Value => {
    const result = shape.safeParse(given)
    if (result.success) return result.data
    throw new InvalidArgumentError(result.error.issues.map(({ message }) => message).join(', '))
  }
}

/** The same for an option that may be given several times, or several values at once. */
export function collected<Value>(shape: z.ZodType<Value>) {
  const parse = parsed(shape)
  return (given: string, before: readonly Value[] = []): Value[] => [...before, parse(given)]
}
