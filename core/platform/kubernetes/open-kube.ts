// The connections to the API server.
import type { KubeClient } from './kube-client.ts'

/** Three sets of connections, so that neither watches nor many calls delay the renewal of the Lease. */
export interface Kube extends AsyncDisposable {
  /** Its address. */
  server: string
  requests: KubeClient
  watches: KubeClient
  lease: KubeClient
}
