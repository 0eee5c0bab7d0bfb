// What `kubectl sealwright status` reads: the objects, the Lease, and the ConfigMap that the leader writes.
import type { Resource } from '#core/platform/kubernetes/kube-object.ts'
import { SIGNING_KEYS, type SigningKeyObject } from '../../signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../../webhook-subscription/resource.ts'
import { type Cluster, findObject, listObjects } from '../cluster.ts'

export interface Lease {
  spec?: { holderIdentity?: string; renewTime?: string; leaseDurationSeconds?: number }
}

interface StatusMap {
  data?: Record<string, string>
}

export interface ClusterState {
  namespace: string
  webhooks: WebhookSubscription[]
  keys: SigningKeyObject[]
  lease: Lease | undefined
  /** Absent until a leader has written the ConfigMap. */
  report: Readonly<Record<string, string>> | undefined
}

const LEASES: Resource = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease' }
const CONFIG_MAPS: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const LEASE_NAME = 'sealwright-controller'
const STATUS_MAP_NAME = 'sealwright-status'

/** Throws KubeError if something may not be read or the custom resources are missing. */
export async function readClusterState(cluster: Cluster): Promise<ClusterState> {
  const [webhooks, keys, lease, map] = await Promise.all([
    listObjects<WebhookSubscription>(cluster, WEBHOOK_SUBSCRIPTIONS),
    listObjects<SigningKeyObject>(cluster, SIGNING_KEYS),
    findObject<Lease>(cluster, LEASES, LEASE_NAME),
    findObject<StatusMap>(cluster, CONFIG_MAPS, STATUS_MAP_NAME),
  ])
  return { namespace: cluster.namespace, webhooks, keys, lease, report: map && (map.data ?? {}) }
}
