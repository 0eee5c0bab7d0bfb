// A process whose trace collector fails: it logs that, and its shutdown is neither delayed for long nor an error.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Logger } from '#core/platform/log.ts'
import { inSpan } from '#core/platform/trace/spans.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { context, propagation, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freePort } from '../../../../../hack/servers/free-port.ts'
import { startTraceCollector } from '../../../../support/servers/trace-collector.ts'

let logged: string[]
const tell = ({ fault }: { fault?: string }, event: string) => void logged.push(`${event}: ${fault}`)
const log = { debug: tell, info: tell, warn: tell, error: tell } as unknown as Logger

beforeEach(() => {
  logged = []
})
afterEach(() => {
  vi.unstubAllEnvs()
  // Tracing can be started once per process.
  for (const registered of [trace, context, propagation]) registered.disable()
})

async function traceOnce(port: number): Promise<void> {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${port}`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '600000')
  await using tracing = new AsyncDisposableStack()
  tracing.use(await startTracing(process.env, 'sealwright-test', log))
  await inSpan('work', {}, async () => {})
}

test('an unresponsive collector is abandoned after a few seconds, not after the exporter timeout', async () => {
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

test('an unavailable collector is no error of the process', async () => {
  const port = await freePort()
  await expect(traceOnce(port)).resolves.toBeUndefined()
})

test('traces that a running process cannot send are logged once', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `http://127.0.0.1:${await freePort()}`)
  // Too short for a retry of the library.
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500')
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
  await using tracing = new AsyncDisposableStack()
  tracing.use(await startTracing(process.env, 'sealwright-test', log))
  const lost = () =>
    logged.filter((line) => /^traces\.unavailable: OTEL_\*: traces are lost \(connect ECONNREFUSED \S+\)\.$/.test(line))
  for (let spans = 0; spans < 3; spans++) await inSpan('work', {}, async () => {})
  await expect.poll(lost).toHaveLength(1)
  for (let spans = 0; spans < 3; spans++) await inSpan('work', {}, async () => {})
  await tracing.disposeAsync()
  expect(lost()).toHaveLength(1)
})

test.each([
  [{}, 'sealwright-test'],
  [{ OTEL_SERVICE_NAME: '', OTEL_RESOURCE_ATTRIBUTES: 'team=leases,x.service.name=other' }, 'sealwright-test'],
  [{ OTEL_SERVICE_NAME: 'signing' }, 'signing'],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'team=leases, service.name=signing' }, 'signing'],
  [{ OTEL_SERVICE_NAME: 'signing', OTEL_RESOURCE_ATTRIBUTES: 'service.name=other' }, 'signing'],
])('with %j its traces have the service name %s', async (environment, service) => {
  await using collector = await startTraceCollector()
  for (const [name, value] of Object.entries({ ...collector.environment, ...environment })) vi.stubEnv(name, value)
  {
    await using tracing = new AsyncDisposableStack()
    tracing.use(await startTracing(process.env, 'sealwright-test', log))
    await inSpan('work', {}, async () => {})
  }
  expect(collector.spans.map((span) => span.service)).toEqual([service])
})

const STARTS = `
import { openLog } from '#core/platform/log.ts'
import { readSettings } from '#core/platform/config/read-settings.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
readSettings(process.env)
await using tracing = await startTracing(process.env, 'sealwright-test', openLog('info'))`

test.each<NodeJS.ProcessEnv>([
  {
    OTEL_TRACES_EXPORTER: 'otlp, console',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
    OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2147483647',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20aGkK==, x-tenant=a%2Cb',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '.25',
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_BSP_EXPORT_TIMEOUT: '10',
    OTEL_BSP_MAX_QUEUE_SIZE: '2',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1',
    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '0',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%2C1, empty=',
    OTEL_LOG_LEVEL: 'Warn',
    OTEL_SDK_DISABLED: 'False',
  },
  {
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector.example.test:4317',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'X_Key.1=~!',
    OTEL_EXPORTER_OTLP_INSECURE: 'True',
  },
])('the library accepts what the settings accept, without a warning: %j', (environment) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', STARTS], {
    env: environment,
    encoding: 'utf8',
  })
  expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 })
})
