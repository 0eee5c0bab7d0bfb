// Reserves and releases quota. The counters are rows that the whole organisation updates, so they change with the commit; over the limit the commit
// fails, and the request gets 429 without any effect.
import { z } from 'zod'
import type { Settings } from '#core/platform/config/settings.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { beforeCommit } from '#core/platform/postgres/before-commit.ts'
import { detailRaised } from '#core/platform/postgres/postgres-error.ts'
import { QUOTA_WINDOWS, WINDOW_SECONDS, type WindowDimension } from './rules.ts'
import { addToWindows, bookMails, type InUse, subtractInUse, takeOpenEnvelope, takeStorage } from './store.ts'

/** For quotas whose room does not come back with time. */
const RETRY_LATER_SECONDS = 3_600
/** The SQLSTATE that `within_quota` raises, and its detail. */
const OVER_QUOTA = 'SWQTA'
const OverQuota = z.object({ dimension: z.string(), limit: z.number(), current: z.number(), retryAfterSeconds: z.number() })

/** Takes storage when the transaction commits; the commit rejects with QUOTA_EXCEEDED when there is too little. */
export function reserveStorage(sql: Sql, orgId: OrgId, settings: Settings, bytes: number): void {
  const limit = {
    limit: settings.quotaStorageBytes,
    retryAfterSeconds: RETRY_LATER_SECONDS,
    uploadTtlSeconds: settings.unattachedUploadTtlSeconds,
  }
  beforeCommit(sql, (tx) => takeStorage(tx, orgId, bytes, limit), toQuotaError)
}

/** Takes one open envelope when the transaction commits; the commit rejects with QUOTA_EXCEEDED when there is none left. */
export function reserveOpenEnvelope(sql: Sql, orgId: OrgId, settings: Settings): void {
  const limit = { limit: settings.quotaOpenEnvelopes, retryAfterSeconds: RETRY_LATER_SECONDS }
  beforeCommit(sql, (tx) => takeOpenEnvelope(tx, orgId, limit), toQuotaError)
}

export interface WindowCount {
  dimension: WindowDimension
  count: number
}

/** Takes from daily or hourly quotas when the transaction commits; the commit rejects with QUOTA_EXCEEDED when there is too little. */
export function reserveInWindows(sql: Sql, orgId: OrgId, settings: Settings, ...counts: readonly WindowCount[]): void {
  const limits = { EMAILS_PER_HOUR: settings.quotaEmailsPerHour, ENVELOPES_SENT_PER_DAY: settings.quotaEnvelopesSentPerDay }
  const taken = counts.map(({ dimension, count }) => ({
    dimension,
    window: QUOTA_WINDOWS[dimension],
    added: count,
    limit: limits[dimension],
  }))
  beforeCommit(sql, (tx) => addToWindows(tx, orgId, taken), toQuotaError)
}

/** Counts emails without a limit: they follow from a signature, and an email that the next step needs is never held back. */
export function countMails(sql: Sql, orgId: OrgId, count: number): void {
  const taken = { dimension: 'EMAILS_PER_HOUR', window: QUOTA_WINDOWS.EMAILS_PER_HOUR, added: count, limit: 0 } as const
  beforeCommit(sql, (tx) => addToWindows(tx, orgId, [taken]))
}

/** Counts waiting emails when the transaction commits and defers those over the quota to an hour with room: there is no caller to reject. */
export function deferOverQuota(sql: Sql, orgId: OrgId, settings: Settings, mailIds: readonly string[]): void {
  beforeCommit(sql, (tx) => bookMails(tx, orgId, mailIds, settings.quotaEmailsPerHour))
}

/** Releases quota when the transaction commits. */
export function release(sql: Sql, orgId: OrgId, { storageBytes = 0, openEnvelopes = 0 }: Partial<InUse>): void {
  beforeCommit(sql, (tx) => subtractInUse(tx, orgId, { storageBytes, openEnvelopes }))
}

function toQuotaError(error: unknown): unknown {
  const detail = detailRaised(error, OVER_QUOTA)
  if (detail === undefined) return error
  const { retryAfterSeconds, ...quota } = OverQuota.parse(JSON.parse(detail))
  const { dimension, limit: count } = quota
  const windowSeconds = WINDOW_SECONDS[dimension]
  const limit = {
    name: dimension.toLowerCase().replaceAll('_', '-'),
    count,
    left: Math.max(0, count - quota.current),
    ...(windowSeconds && { windowSeconds }),
  }
  return new DomainError('QUOTA_EXCEEDED', { quota, limit, retryAfterSeconds })
}
