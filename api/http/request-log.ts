// One line a request, when it is answered: route, status, duration. No query, no token, no body.
import type { Logger } from '#core/log.ts'
import type { NextFunction, Request, Response } from 'express'
import { maskPath } from './mask-path.ts'
import { traceIdOf } from './trace.ts'

/** Logs `request.completed`, or `request.aborted` when the caller hung up first. */
export function requestLog(log: Logger) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now()
    response.once('close', () => {
      const durationMs = Math.round(performance.now() - startedAt)
      const fields = {
        method: request.method,
        path: maskPath(request.originalUrl),
        status: response.statusCode,
        durationMs,
        traceId: traceIdOf(request),
      }
      log.info(fields, response.writableFinished ? 'request.completed' : 'request.aborted')
    })
    next()
  }
}
