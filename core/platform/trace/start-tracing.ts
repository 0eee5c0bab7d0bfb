// Exports traces when the environment names a collector (OTEL_*, as OpenTelemetry defines them). Otherwise the SDK is not even loaded.
import type { Logger } from '#core/platform/log.ts'
import { waitAtMost } from '#core/platform/process/with-timeout.ts'
import { recordSpansWith } from './spans.ts'
import type { Environment } from '#core/platform/config/settings.ts'
import { wantsTraces } from '#core/platform/config/trace-settings.ts'

/** For the last traces; the process has its own shutdown to finish. */
const SHUTDOWN_MS = 3_000

/** Starts the export when it is enabled; disposing sends what is left. `service`: the default service name. Export errors are logged throttled,
 *  unless OTEL_LOG_LEVEL asks for the library's own log. */
export async function startTracing(environment: Environment, service: string, log: Logger): Promise<AsyncDisposable> {
  if (!wantsTraces(environment)) return { [Symbol.asyncDispose]: async () => {} }
  const { startNodeSdk } = await import('@opentelemetry/sdk-node')
  const sdk = startNodeSdk({
    metricReaders: [],
    logRecordProcessors: [],
    ...(!namesService(environment) && { resourceAttributes: { 'service.name': service } }),
  })
  const errorLog = environment['OTEL_LOG_LEVEL'] ? undefined : (await import('./log-export-errors.ts')).logExportErrors(log)
  const { recordedSpans } = await import('./recorded-spans.ts')
  recordSpansWith(recordedSpans())
  return {
    async [Symbol.asyncDispose]() {
      recordSpansWith(undefined)
      const sent = sdk.shutdown()
      // The last traces are lost with the collector, which must not decide how the process ends.
      sent.catch((error: unknown) => log.warn({ reason: String(error) }, 'traces.flush_failed'))
      await waitAtMost(sent, SHUTDOWN_MS)
      errorLog?.[Symbol.dispose]()
    },
  }
}

/** The operator may have set a service name, in either of two variables. */
function namesService({ OTEL_SERVICE_NAME: name, OTEL_RESOURCE_ATTRIBUTES: attributes }: Environment): boolean {
  return Boolean(name?.trim()) || /(?:^|,)\s*service\.name\s*=/.test(attributes ?? '')
}
