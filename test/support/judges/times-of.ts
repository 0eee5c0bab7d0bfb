// Values and how often each came.

/** In the order in which they first came. */
export function timesOf(values: readonly string[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1)
  return times
}
