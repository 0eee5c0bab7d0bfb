// What OpenTelemetry says of itself goes where everything else is told: as lines of the log, and not one for each batch that a collector did not take.
import { diag, DiagLogLevel } from '@opentelemetry/api'
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'

/** From now on, until disposed, warnings and errors of the export are told once a minute under `traces.unavailable`. */
export function tellExportFaults(log: Logger): Disposable {
  const faults = newThrottledLog(log, 'traces.unavailable')
  const tell = (said: string): void => void faults.tell(`OTEL_*: traces are lost (${messageOf(said)}).`)
  const silent = (): void => {}
  diag.setLogger(
    { error: tell, warn: tell, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  return { [Symbol.dispose]: () => diag.disable() }
}

/** Errors come as the JSON of all that they have, a stack among it. */
function messageOf(said: string): string {
  try {
    const error: unknown = JSON.parse(said)
    return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : said
  } catch {
    return said
  }
}
