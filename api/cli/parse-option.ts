// Options are validated by the same schemas as the API's fields; an invalid option is wrong usage.
import { InvalidArgumentError } from 'commander'
import type { z } from 'zod'

/** A parser for commander. Throws InvalidArgumentError with the schema's messages. */
export function parsed<Value>(shape: z.ZodType<Value>) {
  return (given: string): Value => {
    const result = shape.safeParse(given)
    if (result.success) return result.data
    throw new InvalidArgumentError(result.error.issues.map(({ message }) => message).join(', '))
  }
}

/** Parses an option that takes several values; otherwise like `parsed`. */
export function collected<Value>(shape: z.ZodType<Value>) {
  const parse = parsed(shape)
  return (given: string, before: readonly Value[] = []): Value[] => [...before, parse(given)]
}
