// Runs the schemas of a route over what came in; what does not fit is 400 and names the field, never its value.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { z } from 'zod'

/** The parsed input. Throws VALIDATION_FAILED, or the DomainError that a schema threw itself. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.slice(0, 10).map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw new DomainError('VALIDATION_FAILED', { message: faults.join('; ') })
}
