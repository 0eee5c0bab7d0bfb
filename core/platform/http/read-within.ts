// Limits how much of a request's body is read, and for how long.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { hasBody } from './unread-body.ts'

export interface BodyLimits {
  /** Size of the body as it was sent, perhaps compressed, without the framing of chunks. */
  maxBytes: number
  /** From the call until the body is complete. */
  maxSeconds: number
}

/** Each chunk costs an event: a body of one-byte chunks would keep the event loop busy for minutes. Clients send hundreds of bytes at a time. */
const FREE_CHUNKS = 65_536
const LEAST_MEAN_BYTES = 64

type Exceeded = 'bytes' | 'seconds' | 'chunks'

/** Thrown for a body that is larger, slower or in more pieces than allowed. What remains of it is not read. */
export class BodyLimitError extends Error {
  override readonly name = 'BodyLimitError'
  readonly exceeded: Exceeded

  constructor(exceeded: Exceeded, { maxBytes, maxSeconds }: BodyLimits) {
    const messages: Record<Exceeded, string> = {
      bytes: `The body is larger than ${maxBytes / 1024} KiB.`,
      seconds: `The body was not complete after ${maxSeconds} seconds.`,
      chunks: `The body is sent in chunks of less than ${LEAST_MEAN_BYTES} bytes.`,
    }
    super(messages[exceeded])
    this.exceeded = exceeded
  }
}

/**
 * The result of `read`, which begins to consume the body before it returns, and has to reject when its argument does: with BodyLimitError, at once when
 * Content-Length is above the limit. Asks for the body of a request with `Expect: 100-continue`.
 */
export async function readWithin<Result>(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
  read: (exceeded: Promise<never>) => Promise<Result>,
): Promise<Result> {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw new BodyLimitError('bytes', limits)
  if (request.headers.expect !== undefined && hasBody(request)) response.writeContinue()
  const { promise: exceeded, reject } = Promise.withResolvers<never>()
  exceeded.catch(() => {}) // `read` may have ended
  const timer = setTimeout(() => reject(new BodyLimitError('seconds', limits)), limits.maxSeconds * 1_000)
  let bytes = 0
  let chunks = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    chunks++
    if (chunks > FREE_CHUNKS + bytes / LEAST_MEAN_BYTES) reject(new BodyLimitError('chunks', limits))
    if (bytes > limits.maxBytes) reject(new BodyLimitError('bytes', limits))
  }
  try {
    const reading = read(exceeded)
    request.on('data', count)
    return await reading
  } catch (error) {
    request.unpipe()
    request.pause()
    throw error
  } finally {
    clearTimeout(timer)
    request.off('data', count)
  }
}

/** The whole body. Rejects with BodyLimitError, or when the client disconnects. */
export async function readBytes(request: IncomingMessage, response: ServerResponse, limits: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = []
  const collect = (chunk: Buffer): void => void chunks.push(chunk)
  try {
    await readWithin(request, response, limits, (exceeded) => {
      request.on('data', collect)
      return Promise.race([finished(request), exceeded])
    })
    return Buffer.concat(chunks)
  } finally {
    request.off('data', collect)
  }
}
