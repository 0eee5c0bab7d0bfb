// Every paged list has the same frame. Spec, "Paged envelope list".
import { MAX_LIST_TOTAL, MAX_PAGE_SIZE } from '#core/limits.ts'
import { z } from 'zod'
import { Int32, Int64 } from './scalars.ts'

/** The page of a list whose entries are `entry`. */
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
