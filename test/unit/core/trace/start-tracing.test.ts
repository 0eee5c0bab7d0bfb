// The end of a process whose collector of traces is of no help: neither does it wait for long, nor does it become a failure.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { inSpan } from '#core/trace/spans.ts'
import { startTracing } from '#core/trace/start-tracing.ts'
import { context, propagation, trace } from '@opentelemetry/api'
import { afterEach, expect, test, vi } from 'vitest'
import { freePort } from '../../../../hack/servers/free-port.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  // A process starts its traces once.
  for (const registered of [trace, context, propagation]) registered.disable()
})

async function traceOnce(port: number): Promise<void> {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '600000')
  await using tracing = new AsyncDisposableStack()
  tracing.use(await startTracing(process.env, 'sealwright-test'))
  await inSpan('work', {}, async () => {})
}

test('a collector that is silent is left after a few seconds, not when the exporter gives up', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address
  const { port } = server.address() as AddressInfo
  await traceOnce(port)
  expect(sockets.size).toBeGreaterThan(0)
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('a collector that is away is no fault of the process', async () => {
  const port = await freePort()
  await expect(traceOnce(port)).resolves.toBeUndefined()
})
