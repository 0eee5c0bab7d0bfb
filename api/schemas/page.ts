// The frame of every paged list. Spec, "Paged envelope list".
import { MAX_LIST_TOTAL, MAX_PAGE_SIZE } from '#core/limits.ts'
import { z } from 'zod'
import { Int32, Int64 } from './scalars.ts'

/** A page of a list with entries of the shape `entry`. */
export function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    content: z.array(entry),
    page: Int32.describe('Starts at 0.'),
    size: Int32.describe(`Entries per page: the requested number, at most ${MAX_PAGE_SIZE}.`),
    totalElements: Int64.describe(`Capped at ${MAX_LIST_TOTAL}.`),
    totalPages: Int32,
    totalCapped: z.boolean().describe('True if the real count is larger.'),
  })
}

/** A filter of a query: an empty one is none. Decisions, "Smaller points". */
export const filled = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional()).meta({ allowEmptyValue: true })

const MAX_INT32 = 2_147_483_647
const whole = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number)
  .refine((number) => number <= MAX_INT32, `must be at most ${MAX_INT32}`)

// A query carries text; what it says is a number.
const wholeNumber = { type: 'integer', format: 'int32', maximum: MAX_INT32, pattern: undefined } as const

/** The two fields by which every paged list is walked. */
export const PAGE_FIELDS = {
  page: filled(whole).meta({
    ...wholeNumber,
    minimum: 0,
    default: 0,
    description: 'Starts at 0. `page` × `size` must not exceed 100,000.',
  }),
  size: filled(whole.refine((size) => size >= 1, 'must be at least 1')).meta({
    ...wholeNumber,
    minimum: 1,
    default: 20,
    description: `Entries per page. Values above ${MAX_PAGE_SIZE} are reduced to ${MAX_PAGE_SIZE}.`,
  }),
}

/** The page asked for; a size above the largest is cut to it and shown in the answer. */
export function toPage({ page, size }: { page?: number | undefined; size?: number | undefined }): { page: number; size: number } {
  return { page: page ?? 0, size: Math.min(size ?? 20, MAX_PAGE_SIZE) }
}
