import type { KubeMetadata, KubeObject } from '#core/platform/kubernetes/kube-object.ts'

/** An object as the API server sends it, which gives every object a uid. */
export interface StoredObject extends KubeObject {
  metadata: KubeMetadata & { uid: string }
}

/** A custom resource as the API server sends it. */
export interface CustomObject<Spec, Status> extends StoredObject {
  spec: Spec
  status?: Status
}

/** A custom resource to be created or applied. */
export type NewObject<T extends StoredObject> = Omit<T, 'metadata'> & { metadata: KubeMetadata }
