// The API server and the namespaces that a command works with, and the calls that commands share.
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import { SIGNING_KEYS } from '../signing-key/resource.ts'
import { CommandError } from './command-error.ts'

export interface Cluster {
  client: KubeClient
  namespace: string
  /** Where signing keys are, if not in `namespace`. */
  keysNamespace: string
}

/** Shows up in `metadata.managedFields`. */
const FIELD_MANAGER = 'kubectl-sealwright'

export function namespaceFor({ namespace, keysNamespace }: Cluster, { kind }: Resource): string {
  return kind === SIGNING_KEYS.kind ? keysNamespace : namespace
}

/** The object, or undefined if there is none. Throws KubeError, also if the API server does not serve the kind. */
export async function findObject<T>(cluster: Cluster, resource: Resource, name: string): Promise<T | undefined> {
  try {
    return await cluster.client.request<T>({ method: 'GET', path: objectPath(resource, namespaceFor(cluster, resource), name) })
  } catch (error) {
    // Without the kind the answer does not name the object.
    if (error instanceof KubeError && error.status === 404 && error.message.includes(`"${name}"`)) return undefined
    throw error
  }
}

/** The object. Throws CommandError if there is none. */
export async function readObject<T>(cluster: Cluster, resource: Resource, name: string): Promise<T> {
  const object = await findObject<T>(cluster, resource, name)
  if (object) return object
  throw new CommandError(`There is no ${resource.kind} ${name} in the namespace ${namespaceFor(cluster, resource)}.`)
}

/** All objects of the namespace. Throws KubeError. */
export async function listObjects<T>(cluster: Cluster, resource: Resource, fieldSelector?: string): Promise<T[]> {
  const items: T[] = []
  let next: string | undefined
  do {
    const page = await cluster.client.request<{ items: T[]; metadata: { continue?: string } }>({
      method: 'GET',
      path: objectPath(resource, namespaceFor(cluster, resource)),
      query: { limit: 500, ...(fieldSelector && { fieldSelector }), ...(next && { continue: next }) },
    })
    items.push(...page.items)
    next = page.metadata.continue
  } while (next)
  return items
}

/** Changes only what `patch` names. Throws KubeError. */
export function patchObject<T>(cluster: Cluster, resource: Resource, name: string, patch: object): Promise<T> {
  return cluster.client.request<T>({
    method: 'PATCH',
    path: objectPath(resource, namespaceFor(cluster, resource), name),
    query: { fieldManager: FIELD_MANAGER },
    contentType: 'application/merge-patch+json',
    body: patch,
  })
}
