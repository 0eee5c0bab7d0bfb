// What a failed call means for whoever typed the command.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'

/** The error as lines for standard error. */
export function describeError(error: unknown): string {
  if (error instanceof KubeError) return describeRefusal(error)
  return error instanceof Error ? error.message : String(error)
}

function describeRefusal({ status, message }: KubeError): string {
  if (status === 401) return `The API server does not accept these credentials: ${message}`
  if (status === 403) return `${message}\nThe Roles sealwright-view, sealwright-edit and sealwright-admin allow it.`
  if (status === 404) return `${message}\nAre the custom resources of Sealwright installed? See crds/README.md.`
  return message
}
