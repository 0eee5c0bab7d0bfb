// One id per request: in its log line, error body, X-Request-Id header and trace.
import { randomUUID } from 'node:crypto'
import { currentTraceId, openSpan, type Span } from '#core/platform/trace/spans.ts'
import type { NextFunction, Request, Response } from 'express'
import { routeLabelOf } from './route-label.ts'

const traceIds = new WeakMap<Request, string>()

/** Gives every request a new trace id (32 hex digits, W3C Trace Context); ids from clients are ignored. */
export function trace(request: Request, response: Response, next: NextFunction): void {
  openSpan(request.method, 'server', (span) => {
    const traceId = currentTraceId() ?? randomUUID().replaceAll('-', '')
    traceIds.set(request, traceId)
    response.setHeader('X-Request-Id', traceId)
    if (span) endWithAnswer(span, request, response)
    next()
  })
}

/** Named by the route's pattern, because the path may contain a signing token. */
function endWithAnswer(span: Span, request: Request, response: Response): void {
  response.once('close', () => {
    const route = routeLabelOf(request)
    span.updateName(`${request.method} ${route}`)
    span.setAttributes({
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': response.statusCode,
    })
    span.end()
  })
}

export function traceIdOf(request: Request): string {
  return traceIds.get(request) ?? ''
}
