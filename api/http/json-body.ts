// Reads a JSON body: small, of bounded depth, and only where the content type says JSON.
import { DomainError } from '#core/errors/domain-error.ts'
import express, { type Request, type Response } from 'express'

const USUAL_MAX_BYTES = 256 * 1024
const MAX_DEPTH = 20

/** The body as a value, `undefined` where there is none.
 *  Throws UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, PAYLOAD_TOO_LARGE, or VALIDATION_FAILED when it is nested too deep. */
export async function readJsonBody(request: Request, response: Response, maxBytes = USUAL_MAX_BYTES): Promise<unknown> {
  if (!hasBody(request)) return undefined
  if (!request.is('application/json')) throw new DomainError('UNSUPPORTED_MEDIA_TYPE')
  const parse = express.json({ limit: maxBytes, type: () => true, strict: false })
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve()))
  })
  const body: unknown = request.body
  if (depthExceeds(body, MAX_DEPTH))
    throw new DomainError('VALIDATION_FAILED', { message: `body: nested deeper than ${MAX_DEPTH} levels.` })
  return body
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function depthExceeds(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => depthExceeds(member, levels - 1))
}
