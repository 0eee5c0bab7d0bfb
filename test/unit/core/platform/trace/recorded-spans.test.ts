// Whether a trace is recorded is decided where it begins; later spans follow that decision.
import type { Logger } from '#core/platform/log.ts'
import { currentTraceParent, inSpan } from '#core/platform/trace/spans.ts'
import { startTracing } from '#core/platform/trace/start-tracing.ts'
import { context, propagation, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startTraceCollector, type TraceCollector } from '../../../../support/servers/trace-collector.ts'

const silent = () => {}
const log = { debug: silent, info: silent, warn: silent, error: silent } as unknown as Logger

let collector: TraceCollector
beforeEach(async () => {
  collector = await startTraceCollector()
  for (const [name, value] of Object.entries(collector.environment)) vi.stubEnv(name, value)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await collector[Symbol.asyncDispose]()
})

/** Runs like a process that then ends. `ratio`: how many of its own traces are recorded. */
async function inProcess<Result>(ratio: 0 | 1, work: () => Promise<Result>): Promise<Result> {
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio')
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', String(ratio))
  try {
    await using tracing = new AsyncDisposableStack()
    tracing.use(await startTracing(process.env, 'sealwright-test', log))
    return await work()
  } finally {
    // Tracing can be started once per process.
    for (const registered of [trace, context, propagation]) registered.disable()
  }
}

const request = async () => inSpan('request', { kind: 'server' }, async () => currentTraceParent())
const workFor = (parent: string | null) => async () => inSpan('work', { parent }, async () => {})

test('work requested by a recorded request is part of its trace', async () => {
  const parent = await inProcess(1, request)
  await inProcess(0, workFor(parent))
  const [asked, done] = collector.spans
  expect(parent).toBe(`00-${asked?.traceId}-${asked?.spanId}-01`)
  expect(done).toMatchObject({ name: 'work', traceId: asked?.traceId, parentSpanId: asked?.spanId })
})

test('work that begins within a span of another trace is part of the trace that requested it', async () => {
  const parent = await inProcess(1, request)
  await inProcess(1, async () => inSpan('other request', { kind: 'server' }, workFor(parent)))
  const [asked, done] = collector.spans
  expect(done).toMatchObject({ name: 'work', traceId: asked?.traceId, parentSpanId: asked?.spanId })
})

test.each(['http/json', 'http/protobuf'])('spans sent by %s have the same content', async (protocol) => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', protocol)
  await inProcess(1, async () => inSpan('work', { attributes: { 'sealwright.attempt': 2, id: 'ä' } }, async () => {}))
  expect(collector.spans).toEqual([
    expect.objectContaining({
      name: 'work',
      service: 'sealwright-test',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      startTimeUnixNano: expect.stringMatching(/^\d{19}$/),
    }),
  ])
  const attributes = collector.spans[0]?.attributes.map(({ key, value }) => [key, String(value.intValue ?? value.stringValue)])
  expect(attributes).toEqual([
    ['sealwright.attempt', '2'],
    ['id', 'ä'],
  ])
})

test('work requested by an unrecorded request is not recorded, and begins no trace', async () => {
  const parent = await inProcess(0, request)
  await inProcess(1, workFor(parent))
  expect(parent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  expect(collector.spans).toEqual([])
})

test('outside of any span there is no parent', async () => {
  expect(await inProcess(1, async () => currentTraceParent())).toBeNull()
})
