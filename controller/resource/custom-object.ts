import type { KubeObject } from '#core/platform/kubernetes/kube-object.ts'

/** A custom resource as the API server sends it. */
export interface CustomObject<Spec, Status> extends KubeObject {
  spec: Spec
  status?: Status
}
