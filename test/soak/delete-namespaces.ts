// The end of an installation: its namespace is deleted, with and without a controller. The API server's own controllers collect what is in it.
import { setTimeout as delay } from 'node:timers/promises'
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import type { KubeClient } from '#core/platform/kubernetes/kube-client.ts'
import { objectPath } from '#core/platform/kubernetes/kube-object.ts'
import { WEBHOOK_SUBSCRIPTIONS, type WebhookSubscription } from '../../controller/webhook-subscription/resource.ts'
import { applyManifests } from '../../hack/servers/apply-manifests.ts'
import { kubeTool } from '../../hack/servers/kube-tool.ts'
import { runProgram } from '../support/clients/run-program.ts'
import type { SoakWorld } from './soak-world.ts'

const GONE_WITHIN_MS = 60_000
/** Much longer than the deletion of a namespace that nothing holds. */
const HELD_FOR_MS = 15_000
const POLL_MS = 200
const ABANDONED = 'abandoned'

/** Throws when a namespace is not gone within a minute, or gone although an object waits for its controller. Returns the seconds that each took. */
export async function deleteNamespaces(world: SoakWorld): Promise<Record<string, number>> {
  return {
    'objects first, then the namespace': await deleteOrderly(world),
    'the namespace without a controller': await deleteAbandoned(world),
  }
}

/** As docs/outages.md says. */
async function deleteOrderly(world: SoakWorld): Promise<number> {
  const startedAt = performance.now()
  await kubectl(world, '-n', world.namespace, 'delete', 'whsub', '--all', '--wait')
  await deleteNamespace(world.kube.requests, world.namespace)
  await untilGone(world.kube.requests, world.namespace)
  return secondsSince(startedAt)
}

/** The finalizer holds it, until it is removed by hand. */
async function deleteAbandoned({ kube: { requests }, admin, urlOf, plane }: SoakWorld): Promise<number> {
  await applyManifests(requests, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: ABANDONED } }])
  const object = {
    apiVersion: 'sealwright.io/v1alpha1',
    kind: 'WebhookSubscription',
    metadata: { name: 'billing', namespace: ABANDONED, finalizers: ['sealwright.io/subscription'] },
    spec: { orgId: admin.orgId, url: urlOf('abandoned'), events: ['envelope.sent'] },
  }
  await applyManifests(requests, [object])
  await deleteNamespace(requests, ABANDONED)
  await delay(HELD_FOR_MS)
  const path = objectPath(WEBHOOK_SUBSCRIPTIONS, ABANDONED, 'billing')
  const { metadata } = await requests.request<WebhookSubscription>({ method: 'GET', path })
  if (!metadata.deletionTimestamp) throw new Error('The object of the deleted namespace is not being deleted.')
  const startedAt = performance.now()
  await kubectl({ plane }, '-n', ABANDONED, 'patch', 'whsub/billing', '--type', 'merge', '-p', '{"metadata":{"finalizers":null}}')
  await untilGone(requests, ABANDONED)
  return secondsSince(startedAt)
}

async function kubectl({ plane }: Pick<SoakWorld, 'plane'>, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await runProgram(await kubeTool('kubectl'), ['--kubeconfig', plane.kubeconfig, ...args])
  if (exitCode !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
}

function deleteNamespace(requests: KubeClient, name: string): Promise<unknown> {
  return requests.request({ method: 'DELETE', path: `/api/v1/namespaces/${name}` })
}

async function untilGone(requests: KubeClient, name: string): Promise<void> {
  for (const until = performance.now() + GONE_WITHIN_MS; ; await delay(POLL_MS)) {
    const found = await requests
      .request<{ status: unknown }>({ method: 'GET', path: `/api/v1/namespaces/${name}` })
      .catch((error: unknown) => {
        if (error instanceof KubeError && error.status === 404) return undefined
        throw error
      })
    if (!found) return
    if (performance.now() > until) throw new Error(`The namespace ${name} is not gone: ${JSON.stringify(found.status)}`)
  }
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10
}
