// What operators ask of a process, on a port of its own that no visitor reaches: metrics, and for those without an API also the probes.
import { createServer, type ServerResponse } from 'node:http'
import { collectDefaultMetrics, register } from 'prom-client'
import type { Settings } from '#core/config/settings.ts'
import type { Logger } from '#core/log.ts'
import { type Checks, runChecks } from './checks.ts'

export interface StatusServerOptions {
  settings: Pick<Settings, 'host' | 'metricsPort'>
  log: Logger
  /** What `/readyz` asks. */
  ready: Checks
  /** Called before metrics are read. */
  measure?: () => Promise<void>
  /** What `/livez` asks; a process that fails here is to be restarted. */
  alive: Checks
}

/** Serves `/metrics`, `/livez` and `/readyz` until disposed; port 0 in the settings switches it off. Throws when the port is taken. */
export async function startStatusServer({ settings, ready, alive, measure, log }: StatusServerOptions): Promise<AsyncDisposable> {
  const { host, metricsPort } = settings
  if (metricsPort === 0) return { [Symbol.asyncDispose]: async () => {} }
  collectDefaultMetrics()
  const server = createServer((request, response) => {
    if (request.url === '/metrics') void sendMetrics(response, measure, log)
    else if (request.url === '/livez') void sendChecks(response, alive)
    else if (request.url === '/readyz') void sendChecks(response, ready)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new Error(`Cannot listen on ${host}:${metricsPort}: ${cause.message}. See SEALWRIGHT_METRICS_PORT.`, { cause }))
    })
    server.listen(metricsPort, host, resolve)
  })
  return {
    async [Symbol.asyncDispose]() {
      server.closeIdleConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function sendMetrics(response: ServerResponse, measure: StatusServerOptions['measure'], log: Logger): Promise<void> {
  // What the process counted itself is worth reading without a database.
  await measure?.().catch((error: unknown) => log.warn({ err: error }, 'metrics.incomplete'))
  response.writeHead(200, { 'Content-Type': register.contentType }).end(await register.metrics())
}

async function sendChecks(response: ServerResponse, checks: Checks): Promise<void> {
  const { ok, ...body } = await runChecks(checks)
  response.writeHead(ok ? 200 : 503, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
