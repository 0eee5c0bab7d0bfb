// Spans of traces. Until tracing is started they cost a comparison; what is written on them are ids, counts and outcomes, never text of a person.
import {
  type Attributes,
  context,
  type Context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

export type { Span } from '@opentelemetry/api'

const tracer = trace.getTracer('sealwright')
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
let tracing = false

/** Told once by whoever starts the export. */
export function switchTracing(on: boolean): void {
  tracing = on
}

const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

export interface SpanOptions {
  kind?: 'server' | 'consumer' | 'internal'
  attributes?: Attributes
  /** What this goes on from, when nothing on this path of calls does: a `traceparent` that was kept or sent along. */
  parent?: string | null | undefined
}

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const

/** Runs `work` within a span; a fault is marked on it by its kind alone, because messages may name what was uploaded. */
export async function inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
  if (!tracing) return work(NO_SPAN)
  const from = startingContext(options.parent)
  const span = tracer.startSpan(name, { kind: KINDS[options.kind ?? 'internal'], attributes: options.attributes ?? {} }, from)
  try {
    return await context.with(trace.setSpan(from, span), () => work(span))
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'fault' })
    throw error
  } finally {
    span.end()
  }
}

/** Starts a trace of its own with a span that the caller ends, and runs `next` within it; for work that ends by an event. Without tracing there is no span. */
export function openSpan(name: string, kind: keyof typeof KINDS, next: (span: Span | undefined) => void): void {
  if (!tracing) return next(undefined)
  const span = tracer.startSpan(name, { kind: KINDS[kind], root: true })
  context.with(trace.setSpan(context.active(), span), () => next(span))
}

/** The id of the active trace, where one is recorded. */
export function currentTraceId(): string | undefined {
  if (!tracing) return undefined
  const span = trace.getActiveSpan()
  return span?.isRecording() ? span.spanContext().traceId : undefined
}

/** The active span as a W3C `traceparent`, to be kept with work that is done later; null where nothing is recorded. */
export function currentTraceParent(): string | null {
  if (!tracing) return null
  const span = trace.getActiveSpan()
  if (!span?.isRecording()) return null
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

function startingContext(parent: string | null | undefined): Context {
  const active = context.active()
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(parent ?? '') ?? []
  if (trace.getSpan(active) || !traceId || !spanId || !flags) return active
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}
