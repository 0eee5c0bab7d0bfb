// One id a request, in its log line, in its error body and in the X-Request-Id header of the answer.
import { randomUUID } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'

const traceIds = new WeakMap<Request, string>()

/** Gives every request a fresh trace id (32 hex digits, W3C Trace Context); ids sent by clients are not taken over. */
export function trace(request: Request, response: Response, next: NextFunction): void {
  const traceId = randomUUID().replaceAll('-', '')
  traceIds.set(request, traceId)
  response.setHeader('X-Request-Id', traceId)
  next()
}

export function traceIdOf(request: Request): string {
  return traceIds.get(request) ?? ''
}
