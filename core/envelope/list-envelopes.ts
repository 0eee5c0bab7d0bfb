// A page of the envelopes that a caller may read, newest first.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { MAX_LIST_DEPTH, MAX_LIST_TOTAL } from '#core/limits.ts'
import { readInOrganisation } from '#core/postgres/client.ts'
import type { Envelope } from './get-envelope.ts'
import { countMatching, type EnvelopeFilter, searchEnvelopes } from './search.ts'

export interface EnvelopePage {
  content: Envelope[]
  page: number
  size: number
  /** At most 10,000; `totalCapped` when there are more. */
  totalElements: number
  totalPages: number
  totalCapped: boolean
}

/** Throws PAGE_TOO_DEEP. */
export async function listEnvelopes(
  core: Pick<Core, 'database'>,
  caller: Caller,
  filter: EnvelopeFilter,
  { page, size }: { page: number; size: number },
): Promise<EnvelopePage> {
  if (page * size > MAX_LIST_DEPTH) throw new DomainError('PAGE_TOO_DEEP')
  const { orgId } = caller
  return readInOrganisation(core.database, orgId, async (sql) => {
    const offset = page * size
    const rows = await searchEnvelopes(sql, caller, filter, { offset, limit: size })
    // A page that is not full is the last one: what fits the filter has then been counted already.
    const isLast = rows.length < size && (rows.length > 0 || offset === 0)
    const counted = isLast ? offset + rows.length : await countMatching(sql, caller, filter, MAX_LIST_TOTAL + 1)
    const totalElements = Math.min(counted, MAX_LIST_TOTAL)
    return {
      content: rows.map((row) => ({ ...row, orgId })),
      page,
      size,
      totalElements,
      totalPages: Math.ceil(totalElements / size),
      totalCapped: counted > MAX_LIST_TOTAL,
    }
  })
}
