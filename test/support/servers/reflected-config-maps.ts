// A reflector of the config maps of a new namespace, behind a proxy with faults, and an administrator who changes them directly.
import { randomBytes } from 'node:crypto'
import type { Kube } from '../../../core/platform/kubernetes/open-kube.ts'
import { openKube } from '../../../core/platform/kubernetes/open-kube.ts'
import { type KubeObject, objectPath } from '../../../core/platform/kubernetes/kube-object.ts'
import type { Logger } from '../../../core/platform/log.ts'
import { watchFailures } from '../../../core/platform/metrics/controller-metrics.ts'
import { type Change, type Reflector, startReflector } from '../../../controller/runtime/reflector.ts'
import { type KubeProxy, startKubeProxy } from '../faults/kube-proxy.ts'
import { SkippingClock } from '../skipping-clock.ts'

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }

export type ConfigMap = KubeObject & { data?: Record<string, string> }

export interface Reflected extends AsyncDisposable {
  namespace: string
  proxy: KubeProxy
  /** Through the proxy. */
  kube: Kube
  clock: SkippingClock
  reflector: Reflector<ConfigMap>
  changes: Change<ConfigMap>[]
  create(name: string): Promise<ConfigMap>
  update(name: string, data: Record<string, string>): Promise<ConfigMap>
  remove(name: string): Promise<void>
  /** Names on the server and in the store. */
  names(): Promise<{ server: string[]; store: string[] }>
  /** Complete lists so far. */
  lists(): number
  /** Reasons of failures so far, without repetitions. */
  failures(): Promise<string[]>
}

/** Started and synced, with the config map `first`. `direct` is the connection of the administrator. */
export async function reflectConfigMaps(adminKubeconfig: string, direct: Kube): Promise<Reflected> {
  await using stack = new AsyncDisposableStack()
  const namespace = `test-${randomBytes(6).toString('hex')}`
  const path = (name?: string) => objectPath(CONFIG_MAPS, namespace, name)
  // The kind is the label of the metrics: one for each reflector.
  const kind = `ConfigMap of ${namespace}`
  await direct.requests.request({
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  })
  const proxy = stack.use(await startKubeProxy(adminKubeconfig))
  const kube = stack.use(await openKube({ kubeconfig: proxy.kubeconfig }))
  const clock = new SkippingClock()
  const changes: Change<ConfigMap>[] = []
  const create = (name: string) =>
    direct.requests.request<ConfigMap>({
      method: 'POST',
      path: path(),
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
    })
  await create('first')
  const reflector = stack.use(
    startReflector<ConfigMap>({
      kube,
      resource: { ...CONFIG_MAPS, kind },
      namespace,
      onChange: (change) => changes.push(change),
      clock,
      log: silent,
    }),
  )
  await reflector.synced
  const running = stack.move()
  return {
    namespace,
    proxy,
    kube,
    clock,
    reflector,
    changes,
    create,
    update: (name, data) =>
      direct.requests.request<ConfigMap>({
        method: 'PATCH',
        path: path(name),
        contentType: 'application/merge-patch+json',
        body: { data },
      }),
    remove: (name) => direct.requests.request({ method: 'DELETE', path: path(name) }),
    async names() {
      const { items } = await direct.requests.request<{ items: KubeObject[] }>({ method: 'GET', path: path() })
      return { server: namesOf(items), store: namesOf(reflector.store.list()) }
    },
    lists: () => proxy.seen.filter((request) => request.path.includes('sendInitialEvents')).length,
    async failures() {
      const { values } = await watchFailures.get()
      return values.filter(({ labels }) => labels.kind === kind).map(({ labels }) => String(labels.reason))
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function namesOf(objects: KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name).toSorted()
}
