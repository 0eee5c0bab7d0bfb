// Runs one of Express' body parsers within limits: alone they read a body that they refuse to its end.
import { type BodyLimits, readWithin } from '#core/platform/http/read-within.ts'
import type { Request, RequestHandler, Response } from 'express'

/** Resolves when `request.body` is set. Throws BodyLimitError, or the parser's error. */
export async function runParser(parser: RequestHandler, request: Request, response: Response, limits: BodyLimits): Promise<void> {
  await readWithin(request, response, limits, (exceeded) => {
    const parsed = new Promise<void>((resolve, reject) => {
      void parser(request, response, (error?: unknown) => (error ? reject(error) : resolve()))
    })
    return Promise.race([parsed, exceeded])
  })
}
