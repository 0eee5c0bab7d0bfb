// Arrivals by the clock: each item is due at its time, and its latency counts from then, also when it waited for the previous one.
import { setTimeout as delay } from 'node:timers/promises'

export interface Arrivals {
  /** Finished per second of the requested time; one that ended late counts as less. */
  perSecond: number
  p50: number
  p99: number
  max: number
  failed: number
}

export async function arrive(options: {
  perSecond: number
  seconds: number
  work: (index: number) => Promise<void>
}): Promise<Arrivals> {
  const { perSecond, seconds, work } = options
  const times: number[] = []
  const faults: string[] = []
  const running: Promise<void>[] = []
  const startedAt = performance.now()
  for (let index = 0; index < perSecond * seconds; index++) {
    const dueAt = startedAt + (index / perSecond) * 1_000
    const early = dueAt - performance.now()
    if (early > 0) await delay(early)
    running.push(
      work(index).then(
        () => void times.push(performance.now() - dueAt),
        (error: unknown) => void faults.push(String(error)),
      ),
    )
  }
  await Promise.all(running)
  if (faults.length > 0) console.error(`${faults.length} failed: ${[...new Set(faults)].slice(0, 5).join(' | ')}`)
  const elapsedSeconds = Math.max(seconds, (performance.now() - startedAt) / 1_000)
  const sorted = times.toSorted((left, right) => left - right)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { perSecond: times.length / elapsedSeconds, p50: at(0.5), p99: at(0.99), max: at(1), failed: faults.length }
}
