// What operators ask of a process, on a port of its own that no visitor reaches: metrics and probes, from the first moment of its start.
import type { ServerResponse } from 'node:http'
import { collectDefaultMetrics, register } from 'prom-client'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import { checkOk, postgresTransactions } from '#core/platform/metrics/metrics.ts'
import { type FailureLog, newFailureLog } from './failure-log.ts'
import { transactionCounts } from '#core/platform/postgres/transaction-counts.ts'
import { type CheckReport, type Checks, required, runChecks } from './health-checks.ts'
import { toListenError } from './listen-error.ts'

export interface Status {
  /** What `/readyz` asks. */
  ready: () => Checks
  /** What `/livez` asks; a process that fails here is to be restarted. */
  alive?: Checks
  /** Called before metrics are read. */
  measure?: () => Promise<void>
}

export interface StatusServer extends AsyncDisposable {
  /** From now on this is asked. */
  show(status: Status): void
  /** From now on the process is not ready, whatever its parts say: it ends. */
  stopping(): void
}

// NOTE: an import reads all that the module exports, and its getters load a whole HTTP client: 25 ms of the start of a process that has no other use for it.
const { createServer } = process.getBuiltinModule('node:http')

/** What a process shows that has only begun to start. */
const STARTING: Status = { ready: () => ({ start: required(() => Promise.reject(new Error('still starting'))) }) }

const STOPPING = () => ({ stop: required(() => Promise.reject(new Error('stopping'))) })

/** Serves `/metrics`, `/livez` and `/readyz` until disposed; port 0 in the settings switches it off. Throws when the address cannot be had. */
export async function startStatusServer(
  { host, metricsPort }: Pick<Settings, 'host' | 'metricsPort'>,
  log: Logger,
): Promise<StatusServer> {
  if (metricsPort === 0) return { show: () => {}, stopping: () => {}, [Symbol.asyncDispose]: async () => {} }
  collectDefaultMetrics()
  let status = STARTING
  const failures = newFailureLog(log, 'metrics.incomplete')
  const server = createServer((request, response) => {
    if (request.url === '/metrics') void sendMetrics(response, status, failures)
    else if (request.url === '/livez') void runChecks(status.alive ?? {}).then((report) => sendReport(response, report))
    else if (request.url === '/readyz') void runReadiness(status).then((report) => sendReport(response, report))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(toListenError(cause, host, metricsPort, 'SEALWRIGHT_METRICS_PORT')))
    server.listen(metricsPort, host, resolve)
  })
  return {
    show: (next) => (status = next),
    stopping: () => (status = { ...status, ready: STOPPING }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // Nothing here needs a grace, and one that has sent no request yet would be waited for without end.
      server.closeAllConnections()
      await closed
    },
  }
}

async function sendMetrics(response: ServerResponse, status: Status, failures: FailureLog): Promise<void> {
  // What the process counted itself is worth reading without a database.
  const measuring = status.measure?.().then(failures.worked, (error: unknown) => failures.failed(error, {}))
  await Promise.all([measuring, runReadiness(status)])
  for (const [state, count] of Object.entries(transactionCounts)) postgresTransactions.set({ state }, count)
  response.writeHead(200, { 'Content-Type': register.contentType }).end(await register.metrics())
}

async function runReadiness({ ready }: Status): Promise<CheckReport> {
  const report = await runChecks(ready())
  checkOk.reset()
  for (const [check, { ok }] of Object.entries(report.checks)) checkOk.set({ check }, ok ? 1 : 0)
  return report
}

function sendReport(response: ServerResponse, { ok, ...body }: CheckReport): void {
  response.writeHead(ok ? 200 : 503, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
