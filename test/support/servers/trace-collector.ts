// An OpenTelemetry collector for tests: accepts both encodings of OTLP over HTTP and stores every span.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { decodeOtlp } from '../judges/decode-otlp.ts'

const Value = z.looseObject({ stringValue: z.string().optional(), intValue: z.union([z.string(), z.number()]).optional() })
/** Keeps all other members, so that tests can search them for secrets. */
const Span = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: Value })).default([]),
  status: z.object({ message: z.string().optional() }).optional(),
})
const Attributes = z.array(z.object({ key: z.string(), value: Value })).default([])
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

export type CollectedSpan = z.infer<typeof Span> & { service: string }

export interface TraceCollector extends AsyncDisposable {
  /** Makes a process send its traces here, soon, and in the default encoding. */
  environment: Record<string, string>
  spans: CollectedSpan[]
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const type = request.headers['content-type']
      for (const { resource, scopeSpans } of Export.parse(decodeOtlp(type, body)).resourceSpans) {
        const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service }))))
      }
      // An empty body means in both encodings that nothing was refused.
      response.writeHead(200, { 'Content-Type': type }).end(type === 'application/json' ? '{}' : '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address === 'string' || address === null) throw new Error('The collector listens on no port.')
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${address.port}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    spans,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
