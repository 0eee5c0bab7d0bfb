// Counts values.

/** In order of first occurrence. */
export function timesOf(values: readonly string[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1)
  return times
}
