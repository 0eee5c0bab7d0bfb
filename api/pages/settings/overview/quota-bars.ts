// Quota usage formatted for display. Pure.
import type { QuotaUse } from '../data/records.ts'
import { formatBytes, formatNumber } from '../locales/format.ts'

const NEAR_PART = 0.8

export interface QuotaBar {
  /** From 0 to 1; undefined if there is no limit. */
  part: number | undefined
  state: 'fine' | 'near' | 'full'
  used: string
  limit: string
}

/** Formats bytes as sizes and everything else as counts; a limit of 0 means no limit. */
export function quotaBar({ dimension, limit, current }: QuotaUse): QuotaBar {
  const format = dimension.endsWith('_BYTES') ? formatBytes : formatNumber
  const part = limit > 0 ? Math.min(1, current / limit) : undefined
  const state = part === undefined || part < NEAR_PART ? 'fine' : part < 1 ? 'near' : 'full'
  return { part, state, used: format(current), limit: format(limit) }
}
