// One id a request, in its log line, in its error body, in the X-Request-Id header of the answer, and of its trace where traces are exported.
import { randomUUID } from 'node:crypto'
import { currentTraceId, openSpan, type Span } from '#core/platform/trace/spans.ts'
import type { NextFunction, Request, Response } from 'express'
import { routeLabelOf } from './route-label.ts'

const traceIds = new WeakMap<Request, string>()

/** Gives every request a fresh trace id (32 hex digits, W3C Trace Context); ids sent by clients are not taken over. */
export function trace(request: Request, response: Response, next: NextFunction): void {
  openSpan(request.method, 'server', (span) => {
    const traceId = currentTraceId() ?? randomUUID().replaceAll('-', '')
    traceIds.set(request, traceId)
    response.setHeader('X-Request-Id', traceId)
    if (span) endWithAnswer(span, request, response)
    next()
  })
}

/** Named by the pattern of the route, never by the path: that may hold a signing token. */
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
