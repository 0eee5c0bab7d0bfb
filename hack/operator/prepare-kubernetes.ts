// The API server of `npm run start:operator`, what the installation needs in it, and who may use it.
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Settings } from '#core/platform/config/settings.ts'
import { type Kube, openKube } from '#core/platform/kubernetes/open-kube.ts'
import type { DataFolder } from '../embedded/data-folder.ts'
import { applyManifests, applyMissing } from '../servers/apply-manifests.ts'
import { type InstallationNamespaces, policiesFor, rolesFor } from '../servers/installation-manifests.ts'
import { startControlPlane } from '../servers/kube-control-plane.ts'
import { applyCustomResources } from '../servers/kube-setup.ts'
import type { SplitAddition } from '../split/run-split.ts'
import { findKubectl } from './find-kubectl.ts'
import { startAccounts } from './service-accounts.ts'

/** The ServiceAccount of each process; the API has none. */
const ACCOUNTS: Readonly<Record<string, string>> = { controller: 'sealwright-controller', worker: 'sealwright-worker' }

/** Starts an API server unless SEALWRIGHT_KUBECONFIG names one, and applies what it lacks. Throws a message that names what could not be done. */
export async function prepareKubernetes(
  settings: Settings,
  folder: DataFolder,
  stack: AsyncDisposableStack,
): Promise<SplitAddition> {
  const own = path.join(folder.root, 'kubernetes')
  await mkdir(own, { recursive: true, mode: 0o700 })
  const kubectl = await findKubectl()
  const kubeconfig = settings.kubeconfig ? path.resolve(settings.kubeconfig) : await startOwnServer(own, stack)
  const namespace = settings.kubeNamespace ?? 'sealwright'
  const namespaces = { namespace, keysNamespace: settings.kubeKeysNamespace ?? namespace }
  const kube = stack.use(await openKube({ kubeconfig }))
  console.log('Preparing the API server...')
  await prepareServer(kube, namespaces, settings.kubeconfig === undefined).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The API server ${kube.server} could not be prepared: ${why}`, { cause })
  })
  const accounts = stack.use(await startAccounts({ kube, kubeconfig, folder: own, namespace, names: Object.values(ACCOUNTS) }))
  const common = {
    SEALWRIGHT_KUBE_NAMESPACE: namespaces.namespace,
    SEALWRIGHT_KUBE_KEYS_NAMESPACE: namespaces.keysNamespace,
  }
  return {
    environmentOf(process): Record<string, string> {
      const account = ACCOUNTS[process]
      return account === undefined ? {} : { ...common, SEALWRIGHT_KUBECONFIG: accounts.kubeconfig(account) }
    },
    // The given kubeconfig is an administrator's.
    withheld: ['SEALWRIGHT_KUBECONFIG', ...Object.keys(common)],
    devJson: ({ api, worker, controller }) => ({ kubeconfig, namespace, kubectl, pids: { api, worker, controller } }),
    lines: [`Kubernetes: ${kube.server}, namespace ${namespace}`],
  }
}

async function startOwnServer(folder: string, stack: AsyncDisposableStack): Promise<string> {
  console.log('Starting the Kubernetes API server...')
  const plane = await startControlPlane({ dataDir: folder, durable: true })
  stack.defer(() => plane.stop())
  return plane.kubeconfig
}

/** On our own server everything is brought up to date; on another one only what is missing is applied. */
async function prepareServer({ requests }: Kube, namespaces: InstallationNamespaces, isOurs: boolean): Promise<void> {
  const apply = isOurs ? applyManifests : applyMissing
  const names = [...new Set(Object.values(namespaces))]
  await apply(
    requests,
    names.map((name: string) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  )
  await applyCustomResources(requests, apply)
  await apply(requests, await rolesFor(namespaces))
  await apply(requests, await policiesFor(namespaces))
}
