// A page of the envelopes that a caller may read, newest first.
import type { Caller, Core } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MAX_LIST_DEPTH, MAX_LIST_TOTAL } from '#core/limits.ts'
import { type Database, readInOrganisation, readTogether } from '#core/platform/postgres/client.ts'
import type { Envelope } from './get-envelope.ts'
import type { EnvelopeFilter } from './envelope-filter.ts'
import { countMatching, searchEnvelopes, selectPage, selectTotal, toEnvelopes } from './search.ts'
import { choosePlans } from './title-search.ts'
import type { EnvelopeView } from './envelope-view-store.ts'

export interface EnvelopePage {
  content: Envelope[]
  page: number
  size: number
  /** At most 10,000; `totalCapped` when there are more. */
  totalElements: number
  totalPages: number
  totalCapped: boolean
}

interface Wanted {
  offset: number
  limit: number
}

interface Found {
  envelopes: EnvelopeView[]
  /** At most COUNTED. */
  counted: number
}

/** One more than is shown, to detect that there are more. */
const COUNTED = MAX_LIST_TOTAL + 1

/** Throws PAGE_TOO_DEEP. */
export async function listEnvelopes(
  { database }: Pick<Core, 'database'>,
  caller: Caller,
  filter: EnvelopeFilter,
  { page, size }: { page: number; size: number },
): Promise<EnvelopePage> {
  if (page * size > MAX_LIST_DEPTH) throw new DomainError('PAGE_TOO_DEEP')
  const wanted = { offset: page * size, limit: size }
  const find = filter.title ? findByTitle : findTogether
  const { envelopes, counted } = await find(database, caller, filter, wanted)
  const totalElements = Math.min(counted, MAX_LIST_TOTAL)
  return {
    content: envelopes.map((row) => ({ ...row, orgId: caller.orgId })),
    page,
    size,
    totalElements,
    totalPages: Math.ceil(totalElements / size),
    totalCapped: counted > MAX_LIST_TOTAL,
  }
}

/** Page and total in one round trip. */
async function findTogether(database: Database, caller: Caller, filter: EnvelopeFilter, wanted: Wanted): Promise<Found> {
  const [rows, [total]] = await readTogether(
    database,
    caller.orgId,
    (sql) => selectPage(sql, caller, filter, { ...wanted, plan: 'scan' }),
    (sql) => selectTotal(sql, caller, filter, { most: COUNTED, plan: 'scan' }),
  )
  return { envelopes: toEnvelopes(rows), counted: total?.count ?? 0 }
}

/** First chooses how to search the title; the page's result then shortens the count. */
async function findByTitle(
  database: Database,
  caller: Caller,
  filter: EnvelopeFilter,
  { offset, limit }: Wanted,
): Promise<Found> {
  return readInOrganisation(database, caller.orgId, async (sql) => {
    const plans = await choosePlans(sql, caller, filter, offset + limit)
    const { envelopes, total } = await searchEnvelopes(sql, caller, filter, { offset, limit, plan: plans.page })
    // A page that is not full is the last one, so every match is counted already.
    const isLast = envelopes.length < limit && (envelopes.length > 0 || offset === 0)
    const known = isLast ? offset + envelopes.length : total
    const newest = offset === 0 ? envelopes[0]?.createdAt : undefined
    const counted = known ?? (await countMatching(sql, caller, filter, { most: COUNTED, plan: plans.total, newest }))
    return { envelopes, counted }
  })
}
