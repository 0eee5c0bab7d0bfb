// Spans as OpenTelemetry records them.
import { context, type Context, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Recorder } from './spans.ts'

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const

/** Records with the SDK that is registered by now. */
export function recordedSpans(): Recorder {
  const tracer = trace.getTracer('sealwright')
  return {
    async inSpan(name, { kind = 'internal', attributes = {}, parent }, work) {
      const from = startingContext(parent)
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, from)
      try {
        return await context.with(trace.setSpan(from, span), () => work(span))
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'fault' })
        throw error
      } finally {
        span.end()
      }
    },
    openSpan(name, kind, next) {
      const span = tracer.startSpan(name, { kind: KINDS[kind], root: true })
      context.with(trace.setSpan(context.active(), span), () => next(span))
    },
    currentTraceId() {
      const span = trace.getActiveSpan()
      return span?.isRecording() ? span.spanContext().traceId : undefined
    },
    currentTraceParent() {
      // Also for a span that is not recorded: its children must leave out the rest of the trace.
      const span = trace.getActiveSpan()?.spanContext()
      if (!span || !isSpanContextValid(span)) return null
      const { traceId, spanId, traceFlags } = span
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
    },
  }
}

function startingContext(parent: string | null | undefined): Context {
  const active = context.active()
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(parent ?? '') ?? []
  if (!traceId || !spanId || !flags || trace.getSpan(active)?.spanContext().traceId === traceId) return active
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}
