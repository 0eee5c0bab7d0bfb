// Validates input with the route's schemas; a 400 names the field, never its value.
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { z } from 'zod'

/** The parsed input. Throws VALIDATION_FAILED, or the DomainError that a schema threw. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.slice(0, 10).map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw new DomainError('VALIDATION_FAILED', { message: faults.join('; ') })
}
