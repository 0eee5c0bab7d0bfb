// Reserves what a request is about to use. Over the limit the transaction is thrown away: 429 comes before any effect.
import type { Settings } from '#core/config/settings.ts'
import { DomainError } from '#core/errors/domain-error.ts'
import type { OrgId } from '#core/ids.ts'
import type { Sql } from '#core/postgres/client.ts'
import { fits, QUOTA_WINDOWS, SECONDS_OF_WINDOW, type WindowDimension } from './rules.ts'
import { addOpenEnvelopes, addStorageBytes, addToWindows } from './store.ts'

/** Where nobody can know when room will be free again. */
const RETRY_LATER_SECONDS = 3_600

function assertFits(dimension: string, limit: number, used: number, added: number, retryAfterSeconds: number): void {
  if (fits(limit, used)) return
  throw new DomainError('QUOTA_EXCEEDED', { quota: { dimension, limit, current: used - added }, retryAfterSeconds })
}

/** Takes room in the object store. Throws QUOTA_EXCEEDED. Call it last: it holds the organisation's row. */
export async function reserveStorage(sql: Sql, orgId: OrgId, settings: Settings, bytes: number): Promise<void> {
  const used = await addStorageBytes(sql, orgId, bytes)
  assertFits('STORAGE_BYTES', settings.quotaStorageBytes, used, bytes, RETRY_LATER_SECONDS)
}

/** Takes one of the open envelopes. Throws QUOTA_EXCEEDED. Call it last: it holds the organisation's row. */
export async function reserveOpenEnvelope(sql: Sql, orgId: OrgId, settings: Settings): Promise<void> {
  const used = await addOpenEnvelopes(sql, orgId, 1)
  assertFits('OPEN_ENVELOPES', settings.quotaOpenEnvelopes, used, 1, RETRY_LATER_SECONDS)
}

export interface WindowCount {
  dimension: WindowDimension
  count: number
}

/** Takes of quotas that start anew each day or hour, by one statement. Throws QUOTA_EXCEEDED. Call it last: it holds the windows' rows. */
export async function reserveInWindows(
  sql: Sql,
  orgId: OrgId,
  settings: Settings,
  ...counts: readonly WindowCount[]
): Promise<void> {
  const wanted = counts.map(({ dimension, count }) => ({ dimension, count, window: QUOTA_WINDOWS[dimension] }))
  const uses = await addToWindows(sql, orgId, wanted)
  for (const { dimension, count, window } of wanted) {
    const use = uses.find((one) => one.dimension === dimension)
    if (!use) throw new Error('The quota window was not written.')
    const limit = dimension === 'EMAILS_PER_HOUR' ? settings.quotaEmailsPerHour : settings.quotaEnvelopesSentPerDay
    assertFits(dimension, limit, use.used, count, Math.ceil(SECONDS_OF_WINDOW[window] - use.ageSeconds))
  }
}

/** Gives back what an envelope that has ended held. */
export async function releaseOpenEnvelope(sql: Sql, orgId: OrgId): Promise<void> {
  await addOpenEnvelopes(sql, orgId, -1)
}

/** Gives back room in the object store. */
export async function releaseStorage(sql: Sql, orgId: OrgId, bytes: number): Promise<void> {
  await addStorageBytes(sql, orgId, -bytes)
}
