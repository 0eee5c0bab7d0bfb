// The use of each of an organisation's quotas, in the terms of the quota errors.
import type { Settings } from '#core/platform/config/settings.ts'
import type { QuotaUse } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { countRequests } from './count-requests.ts'
import { QUOTA_WINDOWS } from './rules.ts'
import { findInUse, findInWindow } from './store.ts'

/** All five dimensions; a limit of 0 means none. */
export async function listQuotaUse(sql: Sql, orgId: OrgId, settings: Settings): Promise<QuotaUse[]> {
  const { storageBytes, openEnvelopes } = await findInUse(sql, orgId, settings.unattachedUploadTtlSeconds)
  const sent = await findInWindow(sql, orgId, 'ENVELOPES_SENT_PER_DAY', QUOTA_WINDOWS.ENVELOPES_SENT_PER_DAY)
  const mailed = await findInWindow(sql, orgId, 'EMAILS_PER_HOUR', QUOTA_WINDOWS.EMAILS_PER_HOUR)
  const requests = await countRequests(sql, orgId)
  return [
    { dimension: 'STORAGE_BYTES', limit: settings.quotaStorageBytes, current: storageBytes },
    { dimension: 'ENVELOPES_SENT_PER_DAY', limit: settings.quotaEnvelopesSentPerDay, current: sent },
    { dimension: 'OPEN_ENVELOPES', limit: settings.quotaOpenEnvelopes, current: openEnvelopes },
    { dimension: 'EMAILS_PER_HOUR', limit: settings.quotaEmailsPerHour, current: mailed },
    { dimension: 'API_REQUESTS_PER_MINUTE', limit: settings.quotaApiRequestsPerMinute, current: requests },
  ]
}
