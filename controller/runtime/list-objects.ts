// The complete list of a kind in one namespace: as a stream, or in pages from servers that do not stream it.
import type { KubeClient, KubeRequest } from '#core/platform/kubernetes/kube-client.ts'
import { KubeUnreachable } from '#core/platform/kubernetes/kube-error.ts'
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { apiVersionOf, keyOf, toStored } from './stored-object.ts'
import type { ObjectEvent } from './watch-events.ts'

export interface ObjectList<T> {
  objects: Map<string, T>
  /** A watch from here on misses nothing. */
  resourceVersion: string
}

/** The query of a watch that begins with all objects. */
export const STREAM_QUERY: NonNullable<KubeRequest['query']> = {
  watch: true,
  sendInitialEvents: true,
  resourceVersionMatch: 'NotOlderThan',
  allowWatchBookmarks: true,
  timeoutSeconds: 300,
}

const END_OF_LIST = 'k8s.io/initial-events-end'
const PAGE_SIZE = 500
/** Ten million objects. */
const MOST_PAGES = 20_000

interface Page<T> {
  metadata: { resourceVersion?: string; continue?: string }
  items: T[]
}

/** The objects of a stream up to the bookmark that ends the list. Throws KubeUnreachable when the stream ends before. */
export async function listFromStream<T extends KubeObject>(events: AsyncIterable<ObjectEvent<T>>): Promise<ObjectList<T>> {
  const objects = new Map<string, T>()
  for await (const { type, object } of events) {
    const { annotations, resourceVersion } = object.metadata
    if (type !== 'BOOKMARK') {
      const stored = toStored(object)
      if (type === 'DELETED') objects.delete(keyOf(stored))
      else objects.set(keyOf(stored), stored)
    } else if (annotations?.[END_OF_LIST] === 'true' && resourceVersion !== undefined) return { objects, resourceVersion }
  }
  throw new KubeUnreachable('malformed', 'List: the stream ended before the list')
}

/** The objects in pages of 500, all of the same version. Throws KubeError 410 when the listing takes so long that the server forgets that version. */
export async function listInPages<T extends KubeObject>(
  { requests, resource, path, signal }: { requests: KubeClient; resource: Resource; path: string; signal: AbortSignal },
  onBytes: () => void,
): Promise<ObjectList<T>> {
  const objects = new Map<string, T>()
  let token: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { limit: PAGE_SIZE, ...(token && { continue: token }) }
    const { metadata, items } = await requests.request<Page<T>>({ method: 'GET', path, query, signal })
    onBytes()
    for (const item of items) {
      // Items of built-in kinds come without their kind.
      const object = toStored({ ...item, apiVersion: apiVersionOf(resource), kind: resource.kind })
      objects.set(keyOf(object), object)
    }
    token = metadata.continue
    if (!token) return { objects, resourceVersion: metadata.resourceVersion ?? '' }
  }
  throw new KubeUnreachable('malformed', 'List: the pages do not end')
}
