// Reads and writes of objects that both kinds need. Each write has the version that it was decided for as its precondition.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import {
  type KubeMetadata,
  type KubeObject,
  objectPath,
  type OwnerReference,
  type Resource,
} from '#core/platform/kubernetes/kube-object.ts'
import { patchFinalizers } from '../runtime/object-calls.ts'
import type { StoredObject } from '../resource/custom-object.ts'
import { toStored } from '../runtime/stored-object.ts'
import type { KindContext } from './kind-context.ts'

type Caller = Pick<KindContext<KubeObject>, 'kube' | 'leadership'>

export const CONTROLLER_MANAGER = 'sealwright-controller'
export const PROJECTION_MANAGER = 'sealwright-projection'

interface Place {
  namespace: string
  name: string
}

/** The object as the API server has it now. */
export async function readLive<T extends KubeObject>(
  { kube, leadership: { signal } }: Caller,
  resource: Resource,
  { namespace, name }: Place,
): Promise<T | undefined> {
  try {
    return toStored(await kube.requests.request<T>({ method: 'GET', path: objectPath(resource, namespace, name), signal }))
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return undefined
    throw error
  }
}

/** A merge patch of exactly this version; null removes a field. */
export async function patchObject<T extends KubeObject>(
  { kube, leadership: { signal } }: Caller,
  resource: Resource,
  { namespace, name, resourceVersion }: Place & { resourceVersion: string },
  change: { metadata?: object; spec?: object },
  fieldManager = CONTROLLER_MANAGER,
): Promise<T> {
  const body = { ...change, metadata: { ...change.metadata, resourceVersion } }
  const path = objectPath(resource, namespace, name)
  const contentType = 'application/merge-patch+json'
  return toStored(await kube.requests.request<T>({ method: 'PATCH', path, query: { fieldManager }, contentType, body, signal }))
}

/** Adds or removes our finalizer. Undefined when the object is gone: without its last finalizer an object that is being deleted is. */
export async function changeFinalizer<T extends KubeObject>(
  { kube, leadership: { signal } }: Caller,
  resource: Resource,
  {
    name,
    namespace,
    resourceVersion,
    finalizers = [],
  }: Pick<KubeMetadata, 'name' | 'namespace' | 'finalizers'> & { resourceVersion: string },
  finalizer: string,
  isWanted: boolean,
): Promise<T | undefined> {
  const others = finalizers.filter((each) => each !== finalizer)
  const next = isWanted ? [...others, finalizer] : others
  const metadata = { name, resourceVersion, ...(namespace !== undefined && { namespace }) }
  const stored = await patchFinalizers<T>(kube, resource, { metadata }, next, signal)
  return next.length > 0 && stored ? toStored(stored) : undefined
}

/** Makes the API server delete what has this reference together with the object. */
export function ownerOf({ apiVersion, kind, metadata: { name, uid } }: StoredObject): OwnerReference {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: false }
}
