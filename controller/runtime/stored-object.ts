// An object as the store keeps it.
import { KubeUnreachable } from '#core/platform/kubernetes/kube-error.ts'
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'

/** The key of an object: `namespace/name`. */
export function keyOf({ metadata: { namespace = '', name } }: Pick<KubeObject, 'metadata'>): string {
  return `${namespace}/${name}`
}

/** The object without `managedFields`, which are more than half of it and which no reconcile reads. Throws KubeUnreachable when it has no name or no uid. */
export function toStored<T extends KubeObject>(object: T): T {
  for (const field of ['name', 'uid'] as const) {
    if (typeof object.metadata?.[field] !== 'string') throw new KubeUnreachable('malformed', `Watch: an object has no ${field}`)
  }
  if ('managedFields' in object.metadata) delete object.metadata.managedFields
  return object
}

/** The `apiVersion` of the objects of a resource. */
export function apiVersionOf({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}
