// Chooses how a response is compressed by the client's Accept-Encoding (RFC 9110, 12.5.3).
import type { Request, Response } from 'express'

/** Brotli first: it is smaller, also for clients that name gzip first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const
export type ContentEncoding = (typeof ENCODINGS)[number]

/** The encoding that the client accepts and `has` offers, or undefined. Sets `Vary` and `Content-Encoding`. */
export function chooseEncoding(
  request: Request,
  response: Response,
  has: (encoding: ContentEncoding) => boolean,
): ContentEncoding | undefined {
  response.vary('Accept-Encoding')
  // Without the header any encoding would be allowed; clients that send none often understand none.
  if (request.headers['accept-encoding'] === undefined) return undefined
  const chosen = ENCODINGS.find((encoding) => has(encoding) && request.acceptsEncodings(encoding.name) === encoding.name)
  if (chosen) response.set('Content-Encoding', chosen.name)
  return chosen
}
