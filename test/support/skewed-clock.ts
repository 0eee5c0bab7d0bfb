// Loaded before everything else of a process (`node --import`): its wall clock, in every thread, is off by so many hours. Timers go on as they are.
const offsetMs = Number(process.env['SKEWED_CLOCK_HOURS']) * 3_600_000
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...values: unknown[]) {
    super(...((values.length > 0 ? values : [SkewedDate.now()]) as [number]))
  }

  static override now(): number {
    return RealDate.now() + offsetMs
  }
}

globalThis.Date = SkewedDate as DateConstructor
