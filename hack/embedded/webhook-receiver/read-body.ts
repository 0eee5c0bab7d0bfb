// Reads a request's body up to a limit, so that no client fills the memory.
import type { IncomingMessage } from 'node:http'

const MOST_BYTES = 1024 * 1024

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
}

/** Throws BodyTooLargeError, or the error of a connection that ended early. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MOST_BYTES) throw new BodyTooLargeError('The body is larger than 1 MiB.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
