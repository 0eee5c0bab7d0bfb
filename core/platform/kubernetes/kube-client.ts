// What callers need of the API server.
import type { KubeObject } from './kube-object.ts'
import type { KubeStatus } from './kube-error.ts'

export type PatchType = 'application/apply-patch+yaml' | 'application/merge-patch+json' | 'application/json-patch+json'

export interface KubeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path from `objectPath`. */
  path: string
  query?: Readonly<Record<string, string | number | boolean>>
  /** Sent as JSON. */
  body?: unknown
  /** Absent: the whole object. */
  accept?: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
  /** Content type of a PATCH. */
  contentType?: PatchType
  signal?: AbortSignal
  /** For the whole exchange; 30 s by default. */
  timeoutMs?: number
}

/** One line of a watch. A bookmark has only a kind and a resource version. */
export type WatchEvent =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'; object: KubeObject }
  | { type: 'ERROR'; object: KubeStatus }

export interface KubeClient {
  /** The answer's body. Throws KubeError when the server refuses, KubeUnreachable when there is no usable answer in time, and the signal's reason. */
  request<T>(request: KubeRequest): Promise<T>
  /** The parsed lines of a watch; `onBytes` is called for every chunk. Ends when the server closes it cleanly. Throws as `request` does; there is no
   *  deadline after the headers, because a quiet watch is normal. */
  watch(request: Pick<KubeRequest, 'path' | 'query' | 'signal'>, onBytes: () => void): AsyncIterable<WatchEvent>
}
