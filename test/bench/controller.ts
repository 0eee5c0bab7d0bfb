// The memory and the traffic of a controller that watches many objects: our reflector beside client-node's informer, on a real API server.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { KubeClient } from '../../core/platform/kubernetes/kube-client.ts'
import { objectPath } from '../../core/platform/kubernetes/kube-object.ts'
import { openKube } from '../../core/platform/kubernetes/open-kube.ts'
import { applyManifests } from '../../hack/servers/apply-manifests.ts'
import { type ControlPlane, startControlPlane } from '../../hack/servers/kube-control-plane.ts'
import { applyCustomResources } from '../../hack/servers/kube-setup.ts'
import type { WatcherReport } from './controller-watcher.ts'
import { residentMiB } from './process-usage.ts'
import type { BenchTable } from './run.ts'

/** Fewer for a quick run: SEALWRIGHT_BENCH_SHARE=0.1. */
const SHARE = Number(process.env['SEALWRIGHT_BENCH_SHARE'] ?? 1)
const OBJECTS = Math.max(1, Math.round(10_000 * SHARE))
const PARALLEL = 16
const NAMESPACE = 'bench'
const CONDITIONS = ['Accepted', 'Synced', 'EndpointHealthy', 'RotationInProgress', 'Suspended', 'Ready']
const RESOURCE = { group: 'sealwright.io', version: 'v1alpha1', plural: 'webhooksubscriptions', kind: 'WebhookSubscription' }
/** Until the memory of the list is collected. */
const SETTLE_MS = 15_000
/** Three watches of a quiet kind. */
const IDLE_SECONDS = 120
const GOAL_SYNCED_MS = 5000
const GOAL_MIB = 200
const GOAL_PER_SECOND = 1

interface Figures extends WatcherReport {
  residentMiB: number
  perSecond: number
}

export async function run(): Promise<BenchTable[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sealwright-bench-kube-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(dataDir, { recursive: true }))
  const plane = await startControlPlane({ dataDir })
  stack.defer(() => plane.stop())
  const { requests } = stack.use(await openKube({ kubeconfig: plane.kubeconfig }))
  await applyCustomResources(requests)
  await applyManifests(requests, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } }])
  const startedAt = performance.now()
  await createAll(requests)
  const createdPerSecond = OBJECTS / ((performance.now() - startedAt) / 1000)
  const ours = await measure('runtime', plane)
  const theirs = await measure('informer', plane)
  return [tableOf(ours, theirs, createdPerSecond)]
}

async function createAll(requests: KubeClient): Promise<void> {
  const names = Array.from({ length: OBJECTS }, (_, index) => `api-${String(index).padStart(6, '0')}`).values()
  const worker = async () => {
    for (const name of names) await create(requests, name)
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
}

/** As a mirrored webhook is written: spec by one manager, status by another. */
async function create(requests: KubeClient, name: string): Promise<void> {
  const orgId = '4b1f4c1e-6f1c-4f3a-9d4e-2f0c8a6f7b10'
  const apiVersion = 'sealwright.io/v1alpha1'
  const metadata = {
    name,
    namespace: NAMESPACE,
    labels: { 'sealwright.io/org-id': orgId, 'sealwright.io/subscription-id': name },
  }
  const spec = {
    orgId,
    origin: 'API',
    url: `https://hooks.example.com/sealwright/${name}`,
    events: ['envelope.sent', 'envelope.completed'],
    description: 'Orders of the branch',
  }
  const path = objectPath(RESOURCE, NAMESPACE, name)
  const query = { fieldManager: 'sealwright-projection', force: true }
  const contentType = 'application/apply-patch+yaml' as const
  await requests.request({ method: 'PATCH', path, query, contentType, body: { apiVersion, kind: RESOURCE.kind, metadata, spec } })
  const status = { observedGeneration: 1, rowVersion: 1, conditions: CONDITIONS.map((type) => conditionOf(type)) }
  const body = { apiVersion, kind: RESOURCE.kind, metadata: { name, namespace: NAMESPACE }, status }
  await requests.request({
    method: 'PATCH',
    path: `${path}/status`,
    query: { ...query, fieldManager: 'sealwright' },
    contentType,
    body,
  })
}

function conditionOf(type: string) {
  return {
    type,
    status: 'True',
    reason: type,
    message: 'As it should be.',
    lastTransitionTime: '2026-11-25T00:00:00Z',
    observedGeneration: 1,
  }
}

async function measure(kind: 'runtime' | 'informer', plane: ControlPlane): Promise<Figures> {
  const child = fork(new URL('controller-watcher.ts', import.meta.url), [kind, plane.kubeconfig, NAMESPACE])
  try {
    const report = await reportOf(child)
    if (report.count !== OBJECTS) throw new Error(`${kind} has ${report.count} of ${OBJECTS} objects.`)
    await delay(SETTLE_MS)
    const before = await requestsOf(plane)
    await delay(IDLE_SECONDS * 1000)
    const perSecond = ((await requestsOf(plane)) - before) / IDLE_SECONDS
    return { ...report, residentMiB: await residentMiB(child.pid ?? 0), perSecond }
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

async function reportOf(child: ChildProcess): Promise<WatcherReport> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The watcher ended with ${code}.`)
  })
  ended.catch(() => {})
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [WatcherReport]
  return report
}

/** Requests of our kind that the API server has finished. */
async function requestsOf({ server, certificates: { authority, admin } }: ControlPlane): Promise<number> {
  const [ca, cert, key] = await Promise.all([authority, admin.certificate, admin.key].map((file) => readFile(file)))
  const dispatcher = new Agent({ connect: { ca: ca!, cert: cert!, key: key! } })
  const answer = await request(`${server}/metrics`, { dispatcher })
  const lines = (await answer.body.text()).split('\n')
  await dispatcher.close()
  const ours = lines.filter((line) => line.startsWith('apiserver_request_total{') && line.includes(RESOURCE.plural))
  return ours.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

function tableOf(ours: Figures, theirs: Figures, createdPerSecond: number): BenchTable {
  const met = ours.syncedMs < GOAL_SYNCED_MS && ours.residentMiB < GOAL_MIB && ours.perSecond < GOAL_PER_SECOND
  const row = (name: string, figures: Figures) => [
    name,
    figures.importMs,
    figures.syncedMs,
    figures.stallMs,
    figures.residentMiB,
    figures.perSecond,
  ]
  return {
    title: `Watching ${OBJECTS} WebhookSubscriptions (created at ${createdPerSecond.toFixed(0)} per second)`,
    columns: ['', 'import ms', 'synced ms', 'longest stall ms', 'resident MiB', 'idle requests/s'],
    rows: [row('controller/runtime', ours), row("client-node's informer", theirs)],
    goal: {
      text: `ours is synced within ${GOAL_SYNCED_MS} ms, resident below ${GOAL_MIB} MiB, idle below ${GOAL_PER_SECOND} request a second`,
      met,
    },
  }
}
