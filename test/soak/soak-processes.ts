// The processes of the product in a soak: restarted whenever they end, as in a cluster.
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Kube } from '#core/platform/kubernetes/open-kube.ts'
import { startAccounts } from '../../hack/operator/service-accounts.ts'
import type { ControlPlane } from '../../hack/servers/kube-control-plane.ts'
import { type KeptProcess, restartOnExit } from '../../hack/split/restart-on-exit.ts'
import { type KubeProxy, startKubeProxy } from '../support/faults/kube-proxy.ts'

export interface SoakProcess extends KeptProcess {
  logFile: string
}

export interface SoakController extends SoakProcess {
  /** Between it and the API server. */
  proxy: KubeProxy
}

export interface ControllersOptions {
  folder: string
  plane: ControlPlane
  kube: Kube
  namespace: string
  settings: Readonly<Record<string, string>>
}

const ACCOUNT = 'sealwright-controller'
const RESOLVER = new URL('resolve-names.ts', import.meta.url).href
const CONTROLLERS = 2

/** Each with the ServiceAccount that we ship, and its own data folder. */
export async function startControllers(
  { folder, plane, kube, namespace, settings }: ControllersOptions,
  stack: AsyncDisposableStack,
): Promise<SoakController[]> {
  const controllers: SoakController[] = []
  for (let number = 1; number <= CONTROLLERS; number++) {
    const proxy = stack.use(await startKubeProxy(plane.kubeconfig))
    const own = path.join(folder, `account-${number}`)
    await mkdir(own)
    const accounts = stack.use(
      await startAccounts({ kube, kubeconfig: proxy.kubeconfig, folder: own, namespace, names: [ACCOUNT] }),
    )
    const kubernetes = { SEALWRIGHT_KUBECONFIG: accounts.kubeconfig(ACCOUNT) }
    const kept = stack.use(start(`controller ${number}`, ['controller/main.ts'], folder, { ...settings, ...kubernetes }))
    controllers.push({ ...kept, proxy })
  }
  return controllers
}

/** The controller that was elected last, by its log; undefined before the first election. */
export async function lastElected(controllers: readonly SoakController[]): Promise<SoakController | undefined> {
  const elections = await Promise.all(
    controllers.map(async (controller) => {
      const lines = (await readFile(controller.logFile, 'utf8').catch(() => '')).split('\n')
      const { time = '' }: { time?: string } = JSON.parse(lines.findLast((line) => line.includes('"leader.elected"')) ?? '{}')
      return { controller, time }
    }),
  )
  const latest = elections.reduce((last, each) => (each.time > last.time ? each : last))
  return latest.time === '' ? undefined : latest.controller
}

/** The worker that sends probes. */
export function startDeliverer(folder: string, settings: Readonly<Record<string, string>>): SoakProcess {
  return start('deliver', ['workers/main.ts', 'deliver'], folder, settings)
}

function start(
  name: string,
  command: readonly string[],
  folder: string,
  settings: Readonly<Record<string, string>>,
): SoakProcess {
  const logFile = path.join(folder, `${name}.log`)
  const environment = {
    ...settings,
    NODE_COMPILE_CACHE: 'node_modules/.compile-cache',
    NODE_OPTIONS: `--import=${RESOLVER}`,
    // One store for all processes.
    SEALWRIGHT_DATA_DIR: path.join(folder, 'data'),
  }
  const kept = restartOnExit({ name, command, environment: async () => environment, logFile }, { changed() {}, ended() {} })
  return { ...kept, logFile }
}
