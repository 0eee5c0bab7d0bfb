// A process that keeps all WebhookSubscriptions of a namespace in memory, with our reflector or with client-node's informer, and reports when it has them.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface WatcherReport {
  /** Modules loaded and credentials read. */
  importMs: number
  /** From the call to the complete list in memory. */
  syncedMs: number
  /** The longest time that the event loop did nothing else. */
  stallMs: number
  count: number
}

const [, , kind, kubeconfig = '', namespace = ''] = process.argv
const resource = { group: 'sealwright.io', version: 'v1alpha1', plural: 'webhooksubscriptions', kind: 'WebhookSubscription' }

const startedAt = performance.now()
const start = kind === 'runtime' ? await loadRuntime() : await loadInformer()
const importMs = performance.now() - startedAt
const loop = monitorEventLoopDelay({ resolution: 10 })
loop.enable()
const calledAt = performance.now()
const count = await start()
const report: WatcherReport = { importMs, syncedMs: performance.now() - calledAt, stallMs: loop.max / 1e6, count: count() }
process.send?.(report)

async function loadRuntime(): Promise<() => Promise<() => number>> {
  const [{ openKube }, { startReflector }, { systemClock }, { openLog }] = await Promise.all([
    import('#core/platform/kubernetes/open-kube.ts'),
    import('../../controller/runtime/reflector.ts'),
    import('../../controller/runtime/runtime-clock.ts'),
    import('#core/platform/log.ts'),
  ])
  const kube = await openKube({ kubeconfig })
  const log = openLog('warn')
  return async () => {
    const { store, synced } = startReflector({ kube, resource, namespace, onChange: () => {}, clock: systemClock, log })
    await synced
    return () => store.size
  }
}

async function loadInformer(): Promise<() => Promise<() => number>> {
  const { KubeConfig, CustomObjectsApi, makeInformer } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const { group, version, plural } = resource
  const api = config.makeApiClient(CustomObjectsApi)
  return async () => {
    const list = () => api.listNamespacedCustomObject({ group, version, namespace, plural })
    const informer = makeInformer(config, `/apis/${group}/${version}/namespaces/${namespace}/${plural}`, list)
    await informer.start()
    return () => informer.list().length
  }
}
