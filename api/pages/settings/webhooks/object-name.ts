// The object of a webhook in Kubernetes. Pure.
import type { Webhook } from '../data/records.ts'

/** Name of the object as kubectl users write it; empty while there is none. */
export function objectName({ kubernetesObject }: Pick<Webhook, 'kubernetesObject'>): string {
  return kubernetesObject ? `${kubernetesObject.namespace}/${kubernetesObject.name}` : ''
}
