// Splits the body of a watch into its events.
import type { KubeObject } from './kube-object.ts'
import type { WatchEvent } from './kube-client.ts'
import { KubeUnreachable } from './kube-error.ts'

/** etcd stores no object above 1.5 MB. */
const LONGEST_LINE = 16_777_216

/** The events of the body. Throws KubeUnreachable for a line that is not an event, or that ends with the stream. */
export async function* readWatch(body: AsyncIterable<Uint8Array>, onBytes: () => void): AsyncGenerator<WatchEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    onBytes()
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE) throw malformed('a line is too long')
    for (const line of lines) if (line !== '') yield parseEvent(line)
  }
  if (rest !== '') throw malformed('the stream ended within a line')
}

function parseEvent(line: string): WatchEvent {
  let event: unknown
  try {
    event = JSON.parse(line)
  } catch {
    throw malformed('a line is not JSON')
  }
  if (!isEvent(event)) throw malformed('a line is not an event')
  const { type, object } = event
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server's events have objects of the watched kind
      return { type, object: object as KubeObject }
    case 'ERROR':
      return { type, object }
    default:
      throw malformed('an event has an unknown type')
  }
}

function isEvent(value: unknown): value is { type: string; object: object } {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('object' in value)) return false
  return typeof value.type === 'string' && typeof value.object === 'object' && value.object !== null
}

function malformed(what: string): KubeUnreachable {
  return new KubeUnreachable('malformed', `Watch: ${what}`)
}
