// Writes of objects, each with the precondition that keeps it from undoing a newer change.
import type { KubeMetadata, KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'

/** What writes need of `Kube`. */
export interface Requests {
  requests: KubeClient
}

export interface ApplyOptions {
  /** The field manager: it owns the fields of the object that is passed, and no others. */
  manager: string
  /** Takes fields over from other managers; without it their fields are a conflict. */
  force?: true
  signal?: AbortSignal
}

interface Reference {
  namespace: string
  name: string
}

/** Server-side apply of the fields of this object. With `metadata.resourceVersion` or `metadata.uid` it applies to that version or object only (409, or 422 for another uid);
 *  an apply that changes nothing leaves the resource version as it is. Returns the object as stored. */
export async function applyObject<T extends KubeObject>(
  kube: Requests,
  resource: Resource,
  object: KubeObject,
  options: ApplyOptions,
): Promise<T> {
  return apply<T>(kube, resource, object, undefined, options)
}

/** Applies the status only; otherwise like `applyObject`. Throws KubeError 404 when the object does not exist. */
export async function applyStatus<T extends KubeObject>(
  kube: Requests,
  resource: Resource,
  object: T,
  options: ApplyOptions,
): Promise<T> {
  return apply(kube, resource, object, 'status', options)
}

/** Creates the object and returns it as stored; undefined when one of its name exists. */
export async function createObject<T extends KubeObject>(
  kube: Requests,
  resource: Resource,
  object: T,
  { manager, signal }: Omit<ApplyOptions, 'force'>,
): Promise<T | undefined> {
  const path = objectPath(resource, object.metadata.namespace, undefined)
  const query = { fieldManager: manager }
  try {
    return await kube.requests.request<T>({ method: 'POST', path, query, body: object, ...(signal && { signal }) })
  } catch (error) {
    if (error instanceof KubeError && error.reason === 'AlreadyExists') return undefined
    throw error
  }
}

/** Whether the object with this uid exists, for callers that may delete it but not read it: the API server says what a deletion would do, and does nothing. */
export async function wouldDelete(
  kube: Requests,
  resource: Resource,
  { namespace, name, uid }: Reference & { uid: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const path = objectPath(resource, namespace, name)
  // In the body: the API server ignores the query of a deletion that has one.
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'], preconditions: { uid } }
  try {
    await kube.requests.request({ method: 'DELETE', path, body, ...(signal && { signal }) })
    return true
  } catch (error) {
    if (error instanceof KubeError && (error.status === 404 || error.status === 409)) return false
    throw error
  }
}

/** Deletes the object, if it still is the one with this uid and version. An object that does not exist is fine; KubeError 409 if it is another. */
export async function deleteObject(
  kube: Requests,
  resource: Resource,
  { namespace, name }: Reference,
  preconditions: { uid?: string; resourceVersion?: string; signal?: AbortSignal } = {},
): Promise<void> {
  const { signal, ...guards } = preconditions
  const path = objectPath(resource, namespace, name)
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: guards }
  await unlessMissing(kube.requests.request({ method: 'DELETE', path, body, ...(signal && { signal }) }))
}

/** Replaces the finalizers of exactly this version of the object: KubeError 409 when it has changed, undefined when it does not exist any more. */
export async function patchFinalizers<T extends KubeObject>(
  kube: Requests,
  resource: Resource,
  { metadata }: { metadata: Pick<KubeMetadata, 'name' | 'namespace' | 'resourceVersion'> },
  finalizers: readonly string[],
  signal?: AbortSignal,
): Promise<T | undefined> {
  const { namespace = '', name, resourceVersion } = metadata
  return unlessMissing(
    kube.requests.request<T>({
      method: 'PATCH',
      path: objectPath(resource, namespace, name),
      contentType: 'application/merge-patch+json',
      body: { metadata: { resourceVersion, finalizers } },
      ...(signal && { signal }),
    }),
  )
}

function apply<T extends KubeObject>(
  kube: Requests,
  resource: Resource,
  object: KubeObject,
  subresource: 'status' | undefined,
  { manager, force, signal }: ApplyOptions,
): Promise<T> {
  const { namespace = '', name } = object.metadata
  return kube.requests.request<T>({
    method: 'PATCH',
    path: objectPath(resource, namespace, name, subresource),
    query: { fieldManager: manager, force: force === true },
    contentType: 'application/apply-patch+yaml',
    body: object,
    ...(signal && { signal }),
  })
}

async function unlessMissing<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined
    throw error
  }
}
