// What a support bundle contains, as files. No Secret is read.
import { KubeError } from '#core/platform/kubernetes/kube-error.ts'
import { objectPath, type Resource } from '#core/platform/kubernetes/kube-object.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { SIGNING_KEYS } from '../../signing-key/resource.ts'
import { WEBHOOK_SUBSCRIPTIONS } from '../../webhook-subscription/resource.ts'
import { type Cluster, listObjects } from '../cluster.ts'
import { readClusterState } from '../status/cluster-state.ts'
import { findingsOf } from '../status/findings.ts'
import { describePods } from './pods.ts'
import { redact } from './redact.ts'

const EVENTS: Resource = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event' }
const DEFINITIONS: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
}

export interface BundleFile {
  name: string
  content: unknown
}

/** The files, redacted. What may not be read is a file that says so. */
export async function collectBundle(cluster: Cluster, now: Date): Promise<BundleFile[]> {
  const files: Record<string, () => Promise<unknown>> = {
    'status.json': async () => findingsOf(await readClusterState(cluster), now),
    'lease.json': async () => (await readClusterState(cluster)).lease ?? null,
    'webhooksubscriptions.json': () => listObjects(cluster, WEBHOOK_SUBSCRIPTIONS),
    'signingkeys.json': () => listObjects(cluster, SIGNING_KEYS),
    'events.json': () => eventsOf(cluster),
    'pods.json': () => describePods(cluster),
    'versions.json': () => versionsOf(cluster, now),
    'customresourcedefinitions.json': () => definitionsOf(cluster),
  }
  return await Promise.all(
    Object.entries(files).map(async ([name, read]) => ({ name, content: redact(await readOrExplain(read)) })),
  )
}

async function readOrExplain(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof KubeError) return { notRead: error.message }
    throw error
  }
}

/** Events about our objects, and none about others in the same namespace. */
async function eventsOf(cluster: Cluster): Promise<unknown[]> {
  const events = await Promise.all(
    [WEBHOOK_SUBSCRIPTIONS, SIGNING_KEYS].map(({ kind }) =>
      listObjects(inNamespaceOf(cluster, kind), EVENTS, `regarding.kind=${kind}`),
    ),
  )
  return events.flat()
}

function inNamespaceOf(cluster: Cluster, kind: string): Cluster {
  return kind === SIGNING_KEYS.kind ? { ...cluster, namespace: cluster.keysNamespace } : cluster
}

async function versionsOf({ client, namespace, keysNamespace }: Cluster, now: Date): Promise<object> {
  const server = await client.request<object>({ method: 'GET', path: '/version' })
  return { collectedAt: now.toISOString(), plugin: packageFile.version, server, namespace, keysNamespace }
}

interface Definition {
  metadata: { name: string; generation?: number; creationTimestamp?: string; annotations?: object }
  status?: object
}

/** Which schema the API server has. Its text is left out: it is in the repository. */
async function definitionsOf({ client }: Cluster): Promise<object[]> {
  return await Promise.all(
    [WEBHOOK_SUBSCRIPTIONS, SIGNING_KEYS].map(async ({ plural, group }) => {
      const path = objectPath(DEFINITIONS, undefined, `${plural}.${group}`)
      const { metadata, status } = await client.request<Definition>({ method: 'GET', path })
      const { name, generation, creationTimestamp } = metadata
      return { name, generation, creationTimestamp, status }
    }),
  )
}
