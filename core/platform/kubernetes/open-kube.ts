// The API server that the settings name, or that runs this pod. What it needs is loaded when it is opened, so that other processes do not pay for it.
import type { Settings } from '../config/settings.ts'
import { isInPod, podAccess, podNamespace, podPlace } from './in-cluster.ts'
import type { KubeClient } from './kube-client.ts'
import { StartupError } from '../errors/startup-error.ts'

/** Three sets of connections, so that neither watches nor many calls delay the renewal of the Lease. */
export interface Kube extends AsyncDisposable {
  /** Its address. */
  server: string
  requests: KubeClient
  watches: KubeClient
  lease: KubeClient
}

export interface KubeSettings extends Partial<Pick<Settings, 'kubeconfig' | 'kubeNamespace'>> {
  /** A context of the kubeconfig other than its current one. */
  kubeContext?: string
}

/** Calls that wait for a connection cost less than connections that the API server cannot serve: beyond 8 at once only latency grows. */
const MOST_REQUESTS = 16
/** One for the renewal, one for the next when the first is stuck. */
const MOST_LEASE_CALLS = 2

/** Whether there is an API server to use: a kubeconfig, or the token of the pod's ServiceAccount. */
export function kubernetesIsConfigured({ kubeconfig }: KubeSettings, place = podPlace()): boolean {
  return kubeconfig !== undefined || isInPod(place)
}

/** The namespace of our objects: the setting's, else the pod's, else `sealwright`. */
export function namespaceOf({ kubeNamespace }: KubeSettings, place = podPlace()): string {
  return kubeNamespace ?? podNamespace(place) ?? 'sealwright'
}

/** Opens the connections of a process; nothing is sent yet. Throws StartupError when the kubeconfig cannot be used or there is none. */
export async function openKube({ kubeconfig, kubeContext }: KubeSettings, place = podPlace()): Promise<Kube> {
  const [{ readKubeconfig }, { newCredentials }, { newKubePool }, { newKubeClient }] = await Promise.all([
    import('./kubeconfig.ts'),
    import('./credentials.ts'),
    import('./kube-pool.ts'),
    import('./http-kube-client.ts'),
  ])
  if (!kubernetesIsConfigured({ ...(kubeconfig !== undefined && { kubeconfig }) }, place)) {
    throw new StartupError(
      'KUBERNETES_CONFIG',
      'This is not a pod with a ServiceAccount token, and SEALWRIGHT_KUBECONFIG is not set.',
    )
  }
  const access = kubeconfig === undefined ? podAccess(place) : readKubeconfig(kubeconfig, kubeContext)
  const credentials = newCredentials(access)
  const { origin, pathname } = new URL(access.server)
  const stack = new AsyncDisposableStack()
  const newClient = (connections: number | null) =>
    newKubeClient(stack.use(newKubePool(origin, connections)), pathname.replace(/(?<!\/)\/+$/, ''), credentials)
  return {
    server: access.server,
    requests: newClient(MOST_REQUESTS),
    watches: newClient(null),
    lease: newClient(MOST_LEASE_CALLS),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
