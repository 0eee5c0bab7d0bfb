// The frame of every paged list. Spec, "Paged envelope list".
import { MAX_LIST_TOTAL, MAX_PAGE_SIZE } from '#core/limits.ts'
import { z } from 'zod'
import { Int32, Int64 } from './scalars.ts'

/** A page of a list with entries of the shape `entry`. */
export function pageOf<Entry extends z.ZodType>(entry: Entry) {
  return z.object({
    content: z.array(entry),
    page: Int32.describe('From 0.'),
    size: Int32.describe(`Entries a page: what was asked for, at most ${MAX_PAGE_SIZE}.`),
    totalElements: Int64.describe(`Capped at ${MAX_LIST_TOTAL}.`),
    totalPages: Int32,
    totalCapped: z.boolean().describe('True when the real count is larger than the cap.'),
  })
}
