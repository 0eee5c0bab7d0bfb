// Removes our finalizers, so that objects can be deleted when no controller is left.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { type KubeObject, objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { GROUP } from '../resource/kind.ts'
import { listInPages } from '../runtime/list-objects.ts'
import { patchFinalizers, type Requests } from '../runtime/object-calls.ts'

export interface Place {
  resource: Resource
  namespace: string
}

export interface Released {
  kind: string
  namespace: string
  name: string
}

/** A conflict means that another process has changed the object meanwhile. */
const MOST_ROUNDS = 5

/** Removes them from all objects of one kind and leaves those of others; what Postgres has of the objects stays. A kind that is gone has none. Throws KubeError. */
export async function releaseFinalizers(kube: Requests, place: Place, signal: AbortSignal): Promise<Released[]> {
  const released: Released[] = []
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const held = (await listServed(kube, place, signal)).filter(({ metadata }) => metadata.finalizers?.some(isOurs))
    if (held.length === 0) break
    for (const object of held) if (await release(kube, place, object, signal)) released.push(nameOf(place, object))
  }
  return released
}

const isOurs = (finalizer: string) => finalizer.startsWith(`${GROUP}/`)

const nameOf = ({ resource, namespace }: Place, { metadata }: KubeObject): Released => ({
  kind: resource.kind,
  namespace,
  name: metadata.name,
})

/** False when the object has changed since it was listed. */
async function release(
  kube: Requests,
  { resource, namespace }: Place,
  object: KubeObject,
  signal: AbortSignal,
): Promise<boolean> {
  const metadata = { ...object.metadata, namespace }
  try {
    const others = (metadata.finalizers ?? []).filter((each) => !isOurs(each))
    await patchFinalizers(kube, resource, { metadata }, others, signal)
    return true
  } catch (error) {
    if (error instanceof KubeError && error.status === 409) return false
    throw error
  }
}

async function listServed({ requests }: Requests, { resource, namespace }: Place, signal: AbortSignal): Promise<KubeObject[]> {
  try {
    const path = objectPath(resource, namespace)
    const { objects } = await listInPages<KubeObject>({ requests, resource, path, signal }, () => {})
    return [...objects.values()]
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return []
    throw error
  }
}
