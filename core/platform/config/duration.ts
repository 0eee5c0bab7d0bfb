// Durations in settings: a whole number and one unit, as in 300s, 5m, 72h, 90d.
import { z } from 'zod'

const SECONDS_OF_UNIT = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
  ['d', 86_400],
])
const DURATION = /^(\d{1,9})([smhd])$/

/** Parses a duration into seconds; more than zero, and at most the given number of minutes, hours or days. */
export function atMost(count: number, unit: 'm' | 'h' | 'd') {
  const most = secondsOf(count, unit)
  return z.string().transform((text, context) => {
    const [, given = '0', unitGiven = 's'] = DURATION.exec(text) ?? []
    const seconds = secondsOf(Number(given), unitGiven)
    if (seconds > 0 && seconds <= most) return seconds
    const message = seconds > most ? `must be at most ${count}${unit}` : 'must be a duration such as 300s, 5m, 72h or 90d'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

function secondsOf(count: number, unit: string): number {
  return count * (SECONDS_OF_UNIT.get(unit) ?? 0)
}

/** Parses a duration into seconds; more than zero and at most a hundred years, so that adding it to a date gives a valid date. */
export const durationSeconds = atMost(36_500, 'd')

/** One or more durations separated by commas. */
export const durations = z.string().transform((text, context): number[] => {
  const parsed = text.split(',').map((part) => durationSeconds.safeParse(part.trim()))
  const valid = parsed.flatMap(({ data }) => data ?? [])
  if (valid.length === parsed.length) return valid
  context.addIssue({ code: 'custom', message: 'must be durations such as 1m,5m,30m, separated by commas' })
  return z.NEVER
})
