// Writes OpenTelemetry's own errors to the log, throttled: not one line for each batch that a collector rejected.
import { diag, DiagLogLevel } from '@opentelemetry/api'
import type { Logger } from '#core/platform/log.ts'
import { newThrottledLog } from '#core/platform/process/throttled-log.ts'

/** Until disposed, warnings and errors of the export are logged once a minute under `traces.unavailable`. */
export function logExportErrors(log: Logger): Disposable {
  const throttled = newThrottledLog(log, 'traces.unavailable')
  const report = (said: string): void => void throttled.report(`OTEL_*: traces are lost (${messageOf(said)}).`)
  const silent = (): void => {}
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  return { [Symbol.dispose]: () => diag.disable() }
}

/** Errors are reported as JSON of all their fields, with a stack among them. */
function messageOf(said: string): string {
  try {
    const error: unknown = JSON.parse(said)
    return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : said
  } catch {
    return said
  }
}
