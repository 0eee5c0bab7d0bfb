// The namespace of the pod that runs a command.
import { podNamespace, podPlace } from '#core/platform/kubernetes/in-cluster.ts'
import { type KubeSettings, namespaceOf } from '#core/platform/kubernetes/open-kube.ts'

/** Pods mount Secrets of their own namespace, wherever the custom resources are. */
export function ownNamespace(settings: KubeSettings): string {
  return podNamespace(podPlace()) ?? namespaceOf(settings)
}
