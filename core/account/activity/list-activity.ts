// Lists an organisation's activity for its admins.
import type { Core, PersonCaller } from '#core/context.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { MAX_LIST_DEPTH, MAX_LIST_TOTAL } from '#core/limits.ts'
import { readInOrganisation } from '#core/platform/postgres/client.ts'
import type { ActivityEntry } from './activity.ts'
import { countActivity, selectActivity } from './store.ts'

export interface ActivityPage {
  content: ActivityEntry[]
  page: number
  size: number
  /** At most 10,000; `totalCapped` when there are more. */
  totalElements: number
  totalPages: number
  totalCapped: boolean
}

/** A page, newest first. Throws PAGE_TOO_DEEP. */
export async function listActivity(
  core: Pick<Core, 'database'>,
  { orgId }: PersonCaller,
  { page, size }: { page: number; size: number },
): Promise<ActivityPage> {
  if (page * size > MAX_LIST_DEPTH) throw new DomainError('PAGE_TOO_DEEP')
  return readInOrganisation(core.database, orgId, async (sql) => {
    const content = await selectActivity(sql, orgId, { offset: page * size, limit: size })
    const counted = await countActivity(sql, orgId, MAX_LIST_TOTAL + 1)
    const totalElements = Math.min(counted, MAX_LIST_TOTAL)
    const totalPages = Math.ceil(totalElements / size)
    return { content, page, size, totalElements, totalPages, totalCapped: counted > MAX_LIST_TOTAL }
  })
}
