// Durations of settings: a whole number and one unit, as in 300s, 5m, 72h, 90d.
import { z } from 'zod'

const SECONDS_OF_UNIT = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
])
const DURATION = /^(\d{1,9})([smhd])$/

/** Parses a duration into seconds; more than nothing. */
export const durationSeconds = z.string().transform((text, context) => {
  const [, count = '0', unit = 's'] = DURATION.exec(text) ?? []
  const seconds = Number(count) * (SECONDS_OF_UNIT.get(unit) ?? 0)
  if (seconds > 0) return seconds
  context.addIssue({ code: 'custom', message: 'must be a duration such as 300s, 5m, 72h or 90d' })
  return z.NEVER
})
