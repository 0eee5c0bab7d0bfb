// Preloaded into a process (`node --import`): shifts its wall clock in every thread by the hours from the environment, or, under the
// process's pid, from the file that `?file=` names, which may change at any time. Timers are unaffected.
import { readFileSync } from 'node:fs'

const READ_EVERY_MS = 100
const file = new URL(import.meta.url).searchParams.get('file')
const RealDate = Date

let hours = Number(process.env['SKEWED_CLOCK_HOURS'] ?? 0)
let readAt = -Infinity

function offsetMs(): number {
  if (file !== null && performance.now() - readAt > READ_EVERY_MS) {
    readAt = performance.now()
    const hoursOf: Partial<Record<string, number>> = JSON.parse(readFileSync(file, 'utf8'))
    hours = hoursOf[process.pid] ?? 0
  }
  return hours * 3_600_000
}

class SkewedDate extends RealDate {
  constructor(...values: unknown[]) {
    super(...((values.length > 0 ? values : [SkewedDate.now()]) as [number]))
  }

  static override now(): number {
    return RealDate.now() + offsetMs()
  }

  /** Dates from another thread are of the real class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(RealDate, value)
  }
}

globalThis.Date = SkewedDate as DateConstructor
