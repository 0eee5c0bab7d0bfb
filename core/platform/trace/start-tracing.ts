// Traces go out when the environment names where to (OTEL_*, as OpenTelemetry defines them). Otherwise nothing of the SDK is even loaded.
import type { Logger } from '#core/platform/log.ts'
import { settledWithin } from '#core/platform/process/with-timeout.ts'
import { recordSpansWith } from './spans.ts'
import type { Environment } from '#core/platform/config/environment.ts'
import { wantsTraces } from '#core/platform/config/trace-settings.ts'

/** For the last traces; the process has its own work to end. */
const SHUTDOWN_MS = 3_000

/** Starts the export when it is wanted; disposing sends what is left. `service`: the name under which this process is found. A collector that takes
 *  nothing is told in the log, unless OTEL_LOG_LEVEL asks for what the library says itself. */
export async function startTracing(environment: Environment, service: string, log: Logger): Promise<AsyncDisposable> {
  if (!wantsTraces(environment)) return { [Symbol.asyncDispose]: async () => {} }
  const { startNodeSdk } = await import('@opentelemetry/sdk-node')
  const sdk = startNodeSdk({
    metricReaders: [],
    logRecordProcessors: [],
    ...(!namesService(environment) && { resourceAttributes: { 'service.name': service } }),
  })
  const told = environment['OTEL_LOG_LEVEL'] ? undefined : (await import('./export-faults.ts')).tellExportFaults(log)
  const { recordedSpans } = await import('./recorded-spans.ts')
  recordSpansWith(recordedSpans())
  return {
    async [Symbol.asyncDispose]() {
      recordSpansWith(undefined)
      const sent = sdk.shutdown()
      // What is left of the traces is lost with the collector; how the process ends is not decided by it.
      sent.catch((error: unknown) => log.warn({ reason: String(error) }, 'traces.flush_failed'))
      await settledWithin(sent, SHUTDOWN_MS)
      told?.[Symbol.dispose]()
    },
  }
}

/** Whoever runs the process may have given it a name of its own, in either of two places. */
function namesService({ OTEL_SERVICE_NAME: name, OTEL_RESOURCE_ATTRIBUTES: attributes }: Environment): boolean {
  return Boolean(name?.trim()) || /(?:^|,)\s*service\.name\s*=/.test(attributes ?? '')
}
