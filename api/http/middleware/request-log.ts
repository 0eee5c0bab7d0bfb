// One log line per request, when it is answered: route, status, duration. No query, no token, no body.
import type { Logger } from '#core/platform/log.ts'
import { httpRequestDuration } from '#core/platform/metrics/metrics.ts'
import type { NextFunction, Request, Response } from 'express'
import { redactPath } from './redact-path.ts'
import { routeLabelOf } from './route-label.ts'
import { traceIdOf } from './trace.ts'

/** Logs `request.completed`, or `request.aborted` when the client disconnected first. */
export function requestLog(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now()
    response.once('close', () => {
      const elapsedMs = performance.now() - startedAt
      const durationMs = Math.round(elapsedMs)
      const labels = { method: request.method, route: routeLabelOf(request), status: response.statusCode }
      httpRequestDuration.observe(labels, elapsedMs / 1000)
      const fields = {
        method: request.method,
        path: redactPath(request.originalUrl),
        status: response.statusCode,
        durationMs,
        traceId: traceIdOf(request),
      }
      log.info(fields, response.writableFinished ? 'request.completed' : 'request.aborted')
    })
    next()
  }
}
