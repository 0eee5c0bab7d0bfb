// Spans of traces. Until tracing is started they cost a comparison, and the library behind them is not even loaded; what is written on them are ids,
// counts and outcomes, never text of a person.
import type { Attributes, AttributeValue } from '@opentelemetry/api'

export interface Span {
  setAttribute(name: string, value: AttributeValue): void
  setAttributes(attributes: Attributes): void
  updateName(name: string): void
  end(): void
}

export interface SpanOptions {
  kind?: SpanKindName
  attributes?: Attributes
  /** What this goes on from, when nothing on this path of calls does: a `traceparent` that was kept or sent along. */
  parent?: string | null | undefined
}

export type SpanKindName = 'server' | 'consumer' | 'internal'

/** What records spans; as the functions of this file, each of which says what it promises. */
export interface Recorder {
  inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>
  openSpan(name: string, kind: SpanKindName, next: (span: Span) => void): void
  currentTraceId(): string | undefined
  currentTraceParent(): string | null
}

const NO_SPAN: Span = { setAttribute: () => {}, setAttributes: () => {}, updateName: () => {}, end: () => {} }

let recorder: Recorder | undefined

/** Told by whoever starts and ends the export. */
export function recordSpansWith(next: Recorder | undefined): void {
  recorder = next
}

/** Runs `work` within a span; a fault is marked on it by its kind alone, because messages may name what was uploaded. */
export async function inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
  return recorder ? recorder.inSpan(name, options, work) : work(NO_SPAN)
}

/** Starts a trace of its own with a span that the caller ends, and runs `next` within it; for work that ends by an event. Without tracing there is no span. */
export function openSpan(name: string, kind: SpanKindName, next: (span: Span | undefined) => void): void {
  if (recorder) recorder.openSpan(name, kind, next)
  else next(undefined)
}

/** The id of the active trace, where one is recorded. */
export function currentTraceId(): string | undefined {
  return recorder?.currentTraceId()
}

/** The active span as a W3C `traceparent`, to be kept with work that is done later, also when it is not recorded; null without tracing. */
export function currentTraceParent(): string | null {
  return recorder?.currentTraceParent() ?? null
}
