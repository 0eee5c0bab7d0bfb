// `kubectl sealwright uninstall --release-finalizers`: lets objects go that no controller is left to release.
import { releaseFinalizers as releaseKind } from '../projection/release-finalizers.ts'
import { SIGNING_KEYS } from '../signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS } from '../webhook-subscription/resource.ts'
import { type Cluster, namespaceFor } from './cluster.ts'
import type { Report } from './report.ts'

/** Removes our finalizers from all objects; what Postgres has of them stays, as orphans. */
export async function releaseFinalizers(cluster: Cluster): Promise<Report> {
  const { signal } = new AbortController()
  const kinds = [WEBHOOK_SUBSCRIPTIONS, SIGNING_KEYS].map((resource) =>
    releaseKind({ requests: cluster.client }, { resource, namespace: namespaceFor(cluster, resource) }, signal),
  )
  const released = (await Promise.all(kinds)).flat()
  const lines = released.map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}: released`)
  return { ok: true, lines: lines.length > 0 ? lines : ['no object has a finalizer of Sealwright'], json: { released } }
}
