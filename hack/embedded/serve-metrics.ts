// Metrics of the process on a port of their own, so that nobody reaches them through the service's address.
import { createServer, type ServerResponse } from 'node:http'
import type { Settings } from '#core/config/settings.ts'
import { collectDefaultMetrics, register } from 'prom-client'

/** Serves `/metrics` and answers how to stop; 0 switches it off. A taken port is said and does not keep the service from starting. */
export async function serveMetrics(settings: Settings): Promise<() => Promise<void>> {
  if (settings.metricsPort === 0) return async () => {}
  collectDefaultMetrics()
  const server = createServer((request, response) => {
    if (request.url === '/metrics') void sendMetrics(response)
    else response.writeHead(404).end()
  })
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(settings.metricsPort, settings.host, () => resolve(true))
  })
  if (!listening) console.log(`NOTE: no metrics: port ${settings.metricsPort} is taken (SEALWRIGHT_METRICS_PORT).`)
  return async () => {
    if (listening) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
}

async function sendMetrics(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'Content-Type': register.contentType }).end(await register.metrics())
}
