// `kubectl sealwright uninstall --release-finalizers`: lets objects go that no controller is left to release.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { KubeObject, Resource } from '#core/platform/kubernetes/kube-object.ts'
import { SIGNING_KEYS } from '../signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS } from '../webhook-subscription/resource.ts'
import { type Cluster, listObjects, namespaceFor, patchObject } from './cluster.ts'
import type { Report } from './report.ts'

const OURS = 'sealwright.io/'

/** Removes our finalizers from all objects; what Postgres has of them stays, as orphans. */
export async function releaseFinalizers(cluster: Cluster): Promise<Report> {
  const released = [...(await release(cluster, WEBHOOK_SUBSCRIPTIONS)), ...(await release(cluster, SIGNING_KEYS))]
  const lines = released.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}: released`)
  return { ok: true, lines: lines.length > 0 ? lines : ['no object has a finalizer of Sealwright'], json: { released } }
}

async function release(cluster: Cluster, resource: Resource): Promise<{ kind: string; namespace: string; name: string }[]> {
  const namespace = namespaceFor(cluster, resource)
  const released = []
  for (const { metadata } of await listServed(cluster, resource)) {
    const { name, finalizers = [], resourceVersion } = metadata
    const others = finalizers.filter((each) => !each.startsWith(OURS))
    if (others.length === finalizers.length) continue
    // The version guards finalizers that others add meanwhile.
    await patchObject(cluster, resource, name, { metadata: { finalizers: others, resourceVersion } })
    released.push({ kind: resource.kind, namespace, name })
  }
  return released
}

/** None if the kind is gone. */
async function listServed(cluster: Cluster, resource: Resource): Promise<KubeObject[]> {
  return listObjects<KubeObject>(cluster, resource).catch((error: unknown) => {
    if (error instanceof KubeError && error.status === 404) return []
    throw error
  })
}
