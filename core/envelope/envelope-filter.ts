// The filter of a list or count of envelopes, and its SQL conditions. Pages and totals share them, whichever way the rows are found, so that they
// cannot disagree.
import type { WorkspaceId } from '#core/ids.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import type { rolesOf } from '#core/account/workspace/store.ts'
import type { EnvelopeStatus } from './rules.ts'

export interface EnvelopeFilter {
  statuses: readonly EnvelopeStatus[]
  /** Every pair must be on the envelope; every bare key must be present. */
  labels: { pairs: readonly (readonly [key: string, value: string])[]; keys: readonly string[] }
  /** From inclusive, to exclusive, on createdAt. */
  from?: Date | undefined
  to?: Date | undefined
  /** Part of the title, in any case and normalization form. */
  title?: string | undefined
  workspaceId?: WorkspaceId | undefined
}

/** A part of a statement. */
export type Fragment = ReturnType<typeof rolesOf>

export type LabelTerm = readonly [key: string, value?: string]

export const OPEN_STATUSES: readonly EnvelopeStatus[] = ['DRAFT', 'SENT', 'IN_PROGRESS']

/** A condition on a role `r` of the caller. */
export function inWorkspace(sql: Sql, { workspaceId }: Pick<EnvelopeFilter, 'workspaceId'>): Fragment {
  return workspaceId ? sql`r.workspace_id = ${workspaceId}` : sql`true`
}

/** Pairs first: they are more selective than bare keys. */
export function labelTerms({ labels }: EnvelopeFilter): LabelTerm[] {
  return [...labels.pairs, ...labels.keys.map((key) => [key] as const)]
}

/** A condition on the labels in the envelope's own row. */
export function ownLabelsCondition(sql: Sql, filter: EnvelopeFilter, labels: Fragment): Fragment {
  const conditions = labelTerms(filter).map(([key, value]) =>
    value === undefined ? sql`${labels} ? ${key}` : sql`${labels} ->> ${key} = ${value}`,
  )
  return joined(sql, [sql`true`, ...conditions], sql`and`)
}

export function timeCondition(sql: Sql, { from, to }: EnvelopeFilter, createdAt: Fragment): Fragment {
  return sql`true ${from ? sql`and ${createdAt} >= ${from}` : sql``} ${to ? sql`and ${createdAt} < ${to}` : sql``}`
}

export function titleCondition(sql: Sql, { title }: EnvelopeFilter, titleFolded: Fragment): Fragment {
  // Not a pattern, which backtracks after every occurrence of its first letter.
  return title ? sql`strpos(${titleFolded}, (select fold_title(${title}))) > 0` : sql`true`
}

/** The wanted statuses as a reader sees them, in terms of stored columns: an open envelope past its expiry is expired. One condition per way to a
 *  wanted status, on a table or alias with status and lapses_at. */
export function statusConditions(sql: Sql, { statuses }: EnvelopeFilter, of: Fragment): Fragment[] {
  if (statuses.length === 0) return [sql`true`]
  const wanted = [...new Set(statuses)]
  const stored = wanted.map((status) =>
    OPEN_STATUSES.includes(status)
      ? sql`(${of}.status = ${status} and (${of}.lapses_at is null or ${of}.lapses_at > sealwright_now()))`
      : sql`${of}.status = ${status}`,
  )
  const expired = OPEN_STATUSES.map((status) => sql`(${of}.status = ${status} and ${of}.lapses_at <= sealwright_now())`)
  return wanted.includes('EXPIRED') ? [...stored, ...expired] : stored
}

/** At least one of them. */
export function joined(sql: Sql, [first, ...others]: readonly Fragment[], by: Fragment): Fragment {
  return others.reduce((all, fragment) => sql`${all} ${by} ${fragment}`, first ?? sql``)
}
