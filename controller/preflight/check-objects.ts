// Whether the new definitions accept every object that is stored: one that they do not accept could no longer be changed, not even by the controller.
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import type { Kind } from '../resource/kind.ts'
import { listInPages } from '../runtime/list-objects.ts'
import type { CustomObject } from '../resource/custom-object.ts'

const MOST_PROBLEMS = 10

/** One sentence for each object that breaks the schema of this version, at most ten. CEL rules are not evaluated. */
export async function checkObjects(client: KubeClient, kind: Kind, namespace: string): Promise<string[]> {
  const objects = await listAll(client, kind, namespace)
  const problems = objects.flatMap(({ metadata, spec }) => {
    const { error } = kind.spec.safeParse(spec)
    const fields = error?.issues.map(({ path, message }) => `spec.${path.join('.')}: ${message}`)
    return fields ? [`${kind.resource.kind} ${namespace}/${metadata.name} does not fit this version: ${fields.join('; ')}.`] : []
  })
  const more = problems.length - MOST_PROBLEMS
  return more > 0 ? [...problems.slice(0, MOST_PROBLEMS), `And ${more} more of this kind.`] : problems
}

/** Empty while the kind is not installed. */
async function listAll(client: KubeClient, { resource }: Kind, namespace: string): Promise<CustomObject<unknown, unknown>[]> {
  const { signal } = new AbortController()
  const path = objectPath(resource, namespace)
  try {
    const { objects } = await listInPages<CustomObject<unknown, unknown>>({ requests: client, resource, path, signal }, () => {})
    return [...objects.values()]
  } catch (error) {
    if (error instanceof KubeError && error.status === 404) return []
    throw error
  }
}
