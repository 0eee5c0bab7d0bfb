// Reserves what a request is about to use, and gives back what has ended. The counters are rows that the whole organisation needs, so they change with the
// commit; over the limit there is none, and 429 comes before any effect.
import { z } from 'zod'
import type { Settings } from '#core/platform/config/settings.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { beforeCommit } from '#core/platform/postgres/before-commit.ts'
import { detailRaised } from '#core/platform/postgres/postgres-error.ts'
import { QUOTA_WINDOWS, WINDOW_SECONDS, type WindowDimension } from './rules.ts'
import { addToWindows, bookMails, type InUse, subtractInUse, takeOpenEnvelope, takeStorage } from './store.ts'

/** Where nobody can know when room will be free again. */
const RETRY_LATER_SECONDS = 3_600
/** What `within_quota` raises, and what it tells. */
const OVER_QUOTA = 'SWQTA'
const OverQuota = z.object({ dimension: z.string(), limit: z.number(), current: z.number(), retryAfterSeconds: z.number() })

/** Takes room in the object store when the transaction commits, which otherwise rejects with QUOTA_EXCEEDED. */
export function reserveStorage(sql: Sql, orgId: OrgId, settings: Settings, bytes: number): void {
  const limit = {
    limit: settings.quotaStorageBytes,
    retryAfterSeconds: RETRY_LATER_SECONDS,
    uploadTtlSeconds: settings.unattachedUploadTtlSeconds,
  }
  beforeCommit(sql, (tx) => takeStorage(tx, orgId, bytes, limit), toQuotaFault)
}

/** Takes one of the open envelopes when the transaction commits, which otherwise rejects with QUOTA_EXCEEDED. */
export function reserveOpenEnvelope(sql: Sql, orgId: OrgId, settings: Settings): void {
  const limit = { limit: settings.quotaOpenEnvelopes, retryAfterSeconds: RETRY_LATER_SECONDS }
  beforeCommit(sql, (tx) => takeOpenEnvelope(tx, orgId, limit), toQuotaFault)
}

export interface WindowCount {
  dimension: WindowDimension
  count: number
}

/** Takes of quotas that start anew each day or hour when the transaction commits, which otherwise rejects with QUOTA_EXCEEDED. */
export function reserveInWindows(sql: Sql, orgId: OrgId, settings: Settings, ...counts: readonly WindowCount[]): void {
  const limits = { EMAILS_PER_HOUR: settings.quotaEmailsPerHour, ENVELOPES_SENT_PER_DAY: settings.quotaEnvelopesSentPerDay }
  const taken = counts.map(({ dimension, count }) => ({
    dimension,
    window: QUOTA_WINDOWS[dimension],
    added: count,
    limit: limits[dimension],
  }))
  beforeCommit(sql, (tx) => addToWindows(tx, orgId, taken), toQuotaFault)
}

/** Counts mails that go out now, whatever was used: a signature has brought them about, and what it needs next is never kept back. */
export function countMails(sql: Sql, orgId: OrgId, count: number): void {
  const taken = { dimension: 'EMAILS_PER_HOUR', window: QUOTA_WINDOWS.EMAILS_PER_HOUR, added: count, limit: 0 } as const
  beforeCommit(sql, (tx) => addToWindows(tx, orgId, [taken]))
}

/** Counts waiting mails when the transaction commits, and lets what is over the quota wait for an hour that has room: nobody is there to be refused. */
export function deferOverQuota(sql: Sql, orgId: OrgId, settings: Settings, mailIds: readonly string[]): void {
  beforeCommit(sql, (tx) => bookMails(tx, orgId, mailIds, settings.quotaEmailsPerHour))
}

/** Gives back what has ended when the transaction commits. */
export function release(sql: Sql, orgId: OrgId, { storageBytes = 0, openEnvelopes = 0 }: Partial<InUse>): void {
  beforeCommit(sql, (tx) => subtractInUse(tx, orgId, { storageBytes, openEnvelopes }))
}

function toQuotaFault(error: unknown): unknown {
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
