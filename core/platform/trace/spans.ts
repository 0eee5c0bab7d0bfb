// Spans of traces. Without tracing they cost a comparison, and the library is not loaded; spans hold ids, counts and outcomes, never personal data.
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
  /** A stored or received `traceparent`: the parent where no span of its trace is active. A worker that one job woke also starts jobs of other traces. */
  parent?: string | null | undefined
}

export type SpanKindName = 'server' | 'consumer' | 'internal'

/** Records spans; each function's contract is that of the function of this file with its name. */
export interface Recorder {
  inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>
  openSpan(name: string, kind: SpanKindName, next: (span: Span) => void): void
  currentTraceId(): string | undefined
  currentTraceParent(): string | null
}

const NO_SPAN: Span = { setAttribute: () => {}, setAttributes: () => {}, updateName: () => {}, end: () => {} }

let recorder: Recorder | undefined

/** Called by the code that starts and ends the export. */
export function recordSpansWith(next: Recorder | undefined): void {
  recorder = next
}

/** Runs `work` within a span; an error is recorded by its kind alone, because messages may name uploads. */
export async function inSpan<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
  return recorder ? recorder.inSpan(name, options, work) : work(NO_SPAN)
}

/** Starts a new trace with a span that the caller ends, and runs `next` within it; for work that ends by an event. Without tracing there is no span. */
export function openSpan(name: string, kind: SpanKindName, next: (span: Span | undefined) => void): void {
  if (recorder) recorder.openSpan(name, kind, next)
  else next(undefined)
}

/** The id of the active trace, if it is recorded. */
export function currentTraceId(): string | undefined {
  return recorder?.currentTraceId()
}

/** The active span as a W3C `traceparent`, to be stored with work that is done later, even if it is not recorded; null without tracing. */
export function currentTraceParent(): string | null {
  return recorder?.currentTraceParent() ?? null
}
