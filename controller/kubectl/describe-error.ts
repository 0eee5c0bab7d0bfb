// What a failed call means for the user of the command.
import { StartupError } from '#core/platform/errors/startup-error.ts'
import { KubeError, KubeUnreachable } from '#core/platform/kubernetes/kube-error.ts'

/** The error as lines for standard error. */
export function describeError(error: unknown): string {
  if (error instanceof KubeError) return describeRefusal(error)
  if (error instanceof KubeUnreachable) return `The API server cannot be used: ${error.message}`
  // The plugin has options where other processes have settings.
  if (error instanceof StartupError) return error.message.replace('SEALWRIGHT_KUBECONFIG=', 'The kubeconfig ')
  return error instanceof Error ? error.message : String(error)
}

function describeRefusal({ status, message }: KubeError): string {
  if (status === 401) return `The API server does not accept these credentials: ${message}`
  if (status === 403) return `${message}\nThe Roles sealwright-view, sealwright-edit and sealwright-admin allow it.`
  if (status === 404) return `${message}\nAre the custom resources of Sealwright installed? See crds/README.md.`
  return message
}
