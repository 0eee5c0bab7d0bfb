// The use of an organisation's request quota, for the panel.
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { countRecentTokens } from '#core/account/rate/store.ts'
import { API_REQUESTS } from './rules.ts'

/** API requests of the last 60 seconds. */
export async function countRequests(sql: Sql, orgId: OrgId): Promise<number> {
  return countRecentTokens(sql, API_REQUESTS, orgId)
}
