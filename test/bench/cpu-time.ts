// CPU time of one call, user and system: on a busy machine more meaningful than elapsed time.

const WARM_UP = 2
const MOST_CALLS = 15
const LONGEST_MS = 6000

/** Milliseconds of CPU of the median call, after warming up; stops early when calls are slow. */
export async function medianCpuMs(call: () => unknown): Promise<number> {
  for (let index = 0; index < WARM_UP; index++) await call()
  const times: number[] = []
  const begin = performance.now()
  while (times.length < MOST_CALLS && (times.length < 3 || performance.now() - begin < LONGEST_MS)) {
    const before = process.cpuUsage()
    await call()
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return times.toSorted((a, b) => a - b)[times.length >> 1]!
}
