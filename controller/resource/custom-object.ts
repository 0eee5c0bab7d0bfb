/** A custom resource as the API server sends it. */
export interface CustomObject<Spec, Status> {
  apiVersion: string
  kind: string
  metadata: ObjectMetadata
  spec: Spec
  status?: Status
}

export interface ObjectMetadata {
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
}
