// A page of the envelopes that a caller may read, newest first.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import { MAX_LIST_DEPTH, MAX_LIST_TOTAL } from '#core/limits.ts'
import { readInOrganisation } from '#core/postgres/client.ts'
import type { Envelope } from './get-envelope.ts'
import type { EnvelopeFilter } from './envelope-filter.ts'
import { countMatching, searchEnvelopes } from './search.ts'
import { chooseWays } from './title-search.ts'

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
    const ways = await chooseWays(sql, caller, filter, offset + size)
    const { envelopes, total } = await searchEnvelopes(sql, caller, filter, { offset, limit: size, way: ways.page })
    // A page that is not full is the last one: what fits the filter has then been counted already.
    const isLast = envelopes.length < size && (envelopes.length > 0 || offset === 0)
    const known = isLast ? offset + envelopes.length : total
    const newest = offset === 0 ? envelopes[0]?.createdAt : undefined
    const counted = known ?? (await countMatching(sql, caller, filter, { most: MAX_LIST_TOTAL + 1, way: ways.total, newest }))
    const totalElements = Math.min(counted, MAX_LIST_TOTAL)
    return {
      content: envelopes.map((row) => ({ ...row, orgId })),
      page,
      size,
      totalElements,
      totalPages: Math.ceil(totalElements / size),
      totalCapped: counted > MAX_LIST_TOTAL,
    }
  })
}
