// Metrics and probes on a separate port that is not public, available from the beginning of the start.
import type { ServerResponse } from 'node:http'
import { collectDefaultMetrics, register } from 'prom-client'
import { type ConnectionSettings, plainConnections } from '#core/platform/config/plain-connections.ts'
import type { Settings } from '#core/platform/config/settings.ts'
import type { Logger } from '#core/platform/log.ts'
import { checkOk, postgresTransactions } from '#core/platform/metrics/metrics.ts'
import { boundUnreadBodies } from '#core/platform/http/unread-body.ts'
import { type FailureLog, newFailureLog } from './failure-log.ts'
import { transactionCounts } from '#core/platform/postgres/transaction.ts'
import { type CheckReport, type Checks, required, runChecks } from './health-checks.ts'
import { toListenError } from './listen-error.ts'

export interface Status {
  /** The checks of `/readyz`. */
  ready: () => Checks
  /** The checks of `/livez`; a process that fails here has to be restarted. */
  alive?: Checks
  /** Called before metrics are read. */
  measure?: () => Promise<void>
}

export interface StatusServer extends AsyncDisposable {
  /** Replaces the status. */
  show(status: Status): void
  /** Makes the process not ready, whatever its checks say: it is shutting down. */
  stopping(): void
}

// NOTE: an import evaluates every export, and a getter among them loads a whole HTTP client: 25 ms at the start of a process that does not use it.
const { createServer } = process.getBuiltinModule('node:http')

/** Probes and scrapers send a few hundred bytes. */
const REQUEST_TIMEOUT_MS = 10_000

/** The status of a process that has just started. */
const STARTING: Status = { ready: () => ({ start: required(() => Promise.reject(new Error('still starting'))) }) }

const STOPPING = () => ({ stop: required(() => Promise.reject(new Error('stopping'))) })

/** Serves `/metrics`, `/livez` and `/readyz` until disposed, and warns in `/readyz` and the log of connections without TLS; port 0 in the settings switches it off. Throws when it cannot listen on the address. */
export async function startStatusServer(
  settings: Pick<Settings, 'host' | 'metricsPort'> & ConnectionSettings,
  log: Logger,
): Promise<StatusServer> {
  const { host, metricsPort } = settings
  const { refusable, others } = plainConnections(settings)
  const warnings = [...refusable, ...others]
  for (const warning of warnings) log.warn({ warning }, 'connection.unencrypted')
  if (metricsPort === 0) return { show: () => {}, stopping: () => {}, [Symbol.asyncDispose]: async () => {} }
  collectDefaultMetrics()
  let status = STARTING
  const failures = newFailureLog(log, 'metrics.incomplete')
  const server = createServer((request, response) => {
    if (request.url === '/metrics') void sendMetrics(response, status, failures)
    else if (request.url === '/livez') void runChecks(status.alive ?? {}).then((report) => sendReport(response, report))
    else if (request.url === '/readyz') void runReadiness(status).then((report) => sendReport(response, report, warnings))
    else response.writeHead(404).end()
  })
  boundUnreadBodies(server)
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.headersTimeout = REQUEST_TIMEOUT_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(toListenError(cause, host, metricsPort, 'SEALWRIGHT_METRICS_PORT')))
    server.listen(metricsPort, host, resolve)
  })
  return {
    show: (next) => (status = next),
    stopping: () => (status = { ...status, ready: STOPPING }),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // No request here needs a grace period, and a connection without a request would be awaited forever.
      server.closeAllConnections()
      await closed
    },
  }
}

async function sendMetrics(response: ServerResponse, status: Status, failures: FailureLog): Promise<void> {
  // The process's own counters are useful without a database.
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

function sendReport(response: ServerResponse, { ok, ...report }: CheckReport, warnings: readonly string[] = []): void {
  const body = warnings.length > 0 ? { ...report, warnings } : report
  response.writeHead(ok ? 200 : 503, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
