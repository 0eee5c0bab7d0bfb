// The shape that all Kubernetes objects share, and the paths under which the API server serves them.

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface KubeMetadata {
  name: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  generation?: number
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
}

export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: KubeMetadata
}

/** A kind of object, as the API server serves it. */
export interface Resource {
  /** Empty for the core group. */
  group: string
  version: string
  plural: string
  kind: string
}

/** The path of a collection, of one object, or of a part of it such as `status`. Absent namespace: a resource of the cluster, or all namespaces. */
export function objectPath(resource: Resource, namespace: string | undefined, name?: string, subresource?: string): string {
  const { group, version, plural } = resource
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespace === undefined ? [] : ['namespaces', namespace]),
    plural,
    ...(name === undefined ? [] : [name]),
    ...(subresource === undefined ? [] : [subresource]),
  ]
  return `/${parts.map((part) => encodeURIComponent(part)).join('/')}`
}
