// Converts the filter into the query of the API. Pure.
import { ENVELOPE_STATUSES } from '../data/records.ts'
import type { EnvelopeListQuery } from '../routing/place.ts'

export const PAGE_SIZE = 20

/** The path of the list; an unknown status does not filter. */
export function envelopeListPath({ title, status, workspaceId, page }: EnvelopeListQuery): string {
  const search = new URLSearchParams({ page: String(page), size: String(PAGE_SIZE) })
  if (title) search.set('title', title)
  if (ENVELOPE_STATUSES.some((known) => known === status)) search.set('status', status)
  if (workspaceId) search.set('workspaceId', workspaceId)
  return `/envelopes?${search}`
}

/** The range of elements on a page, counted from 1. */
export function rangeOf({ page, size, content }: { page: number; size: number; content: readonly unknown[] }): {
  first: number
  last: number
} {
  const first = page * size + 1
  return { first, last: first + content.length - 1 }
}
