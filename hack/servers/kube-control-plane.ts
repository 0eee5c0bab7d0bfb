// A real Kubernetes API server with its etcd, on loopback, for tests and `npm run start:operator`. Without nodes: nothing runs in it.
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { freePort } from './free-port.ts'
import { type KubeCertificates, loadOrCreateKubeCertificates } from './kube-certificates.ts'
import { type KubePlace, startApiServer, startControllerManager, startEtcd } from './kube-processes.ts'
import { writeKubeconfig } from './kubeconfig-file.ts'
import type { ServerProcess } from './server-process.ts'

export interface ControlPlaneOptions {
  /** Holds the objects, certificates and logs; created if missing. What it held before is served again. */
  dataDir: string
  /** Also runs kube-controller-manager: garbage collection, end of namespaces. */
  controllers?: boolean
  /** More arguments of kube-apiserver. */
  apiServerArgs?: readonly string[]
  /** True: etcd flushes every write to the disk. */
  durable?: boolean
}

export interface ControlPlane {
  /** The file of an administrator. */
  kubeconfig: string
  /** https://127.0.0.1:port */
  server: string
  /** Address of etcd, which admits clients with a certificate of the authority. */
  etcd: string
  certificates: KubeCertificates
  pids(): { etcd: number; apiServer: number; controllerManager?: number }
  /** Ends the API server with SIGKILL; etcd stays. */
  kill(): Promise<void>
  /** Starts the API server on its port again, after stopping it if it runs; resolves when it is ready. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const PORT_TRIES = 5
const READY_WITHIN_MS = 120_000
const READY_POLL_MS = 50

/** Starts the servers, building them if needed; ready when it resolves. Throws with the last lines of the log of a server that ended. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const dataDir = resolve(options.dataDir)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const certificates = await loadOrCreateKubeCertificates(join(dataDir, 'certificates'))
  const place = { dataDir, certificates, durable: options.durable ?? false }
  await using stack = new AsyncDisposableStack()
  const servers = await startServers(place, options.apiServerArgs ?? [], stack)
  const server = `https://127.0.0.1:${servers.port}`
  const kubeconfig = join(dataDir, 'kubeconfig')
  const common = { server, authority: certificates.authority }
  await writeKubeconfig(kubeconfig, { ...common, user: { name: 'admin', pair: certificates.admin } })
  const controllers = options.controllers ? await startControllers(place, common) : undefined
  if (controllers) stack.defer(() => controllers.stop())
  const running = stack.move()
  return {
    kubeconfig,
    server,
    etcd: `https://127.0.0.1:${servers.etcdPort}`,
    certificates,
    pids: () => ({
      etcd: servers.etcd.pid,
      apiServer: servers.apiServer().pid,
      ...(controllers && { controllerManager: controllers.pid }),
    }),
    kill: () => servers.kill(),
    restart: () => servers.restart(),
    stop: () => running.disposeAsync(),
  }
}

async function startServers(place: KubePlace, extra: readonly string[], stack: AsyncDisposableStack) {
  const etcd = await startEtcdOnFreePorts(place)
  stack.defer(() => etcd.process.stop())
  const first = await startApiServerOnFreePort(place, etcd, extra)
  let current = first.process
  stack.defer(() => current.stop())
  return {
    port: first.port,
    etcd: etcd.process,
    etcdPort: etcd.port,
    apiServer: () => current,
    async kill() {
      process.kill(current.pid, 'SIGKILL')
      await current.exited
    },
    async restart() {
      await current.stop()
      current = await startApiServer(place, first.port, etcd.port, extra)
      const failure = await untilReady(current, first.port, place.certificates)
      if (failure !== undefined) throw new Error(`kube-apiserver did not start again: ${failure}`)
    },
  }
}

async function startEtcdOnFreePorts(place: KubePlace): Promise<{ process: ServerProcess; port: number }> {
  const port = await freePort()
  const started = await startEtcd(place, port, await freePort())
  return { process: started, port }
}

async function startApiServerOnFreePort(
  place: KubePlace,
  etcd: { process: ServerProcess; port: number },
  extra: readonly string[],
): Promise<{ process: ServerProcess; port: number }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort()
    const started = await startApiServer(place, port, etcd.port, extra)
    const etcdEnded = etcd.process.exited.then((how) => `etcd ended: ${how}, ${etcd.process.logTail()}`)
    const failure = await Promise.race([etcdEnded, untilReady(started, port, place.certificates)])
    if (failure === undefined) return { process: started, port }
    await started.stop()
    const isPortTaken = failure.includes('address already in use')
    if (!isPortTaken || tries === PORT_TRIES) throw new Error(`kube-apiserver did not start: ${failure}`)
  }
}

async function startControllers(place: KubePlace, common: { server: string; authority: string }): Promise<ServerProcess> {
  const kubeconfig = join(place.dataDir, 'controller-manager.kubeconfig')
  const user = { name: 'controller-manager', pair: place.certificates.controllerManager }
  await writeKubeconfig(kubeconfig, { ...common, user })
  return startControllerManager(place, kubeconfig, await freePort())
}

/** Undefined once the API server is ready, otherwise why not. */
async function untilReady(apiServer: ServerProcess, port: number, certificates: KubeCertificates): Promise<string | undefined> {
  await using agent = newAdminAgent(certificates)
  let ending: string | undefined
  void apiServer.exited.then((how) => (ending = how))
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += READY_POLL_MS) {
    if (ending !== undefined) return `${ending}, ${apiServer.logTail()}`
    const answer = await request(`https://127.0.0.1:${port}/readyz`, { dispatcher: agent.value }).catch(() => undefined)
    await answer?.body.dump()
    if (answer?.statusCode === 200) return undefined
    await delay(READY_POLL_MS)
  }
  return `not ready within ${READY_WITHIN_MS / 1_000} s, ${apiServer.logTail()}`
}

function newAdminAgent({ authority, admin }: KubeCertificates): AsyncDisposable & { value: Agent } {
  const [ca, cert, key] = [authority, admin.certificate, admin.key].map((file) => readFileSync(file))
  const value = new Agent({ connect: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } })
  return { value, [Symbol.asyncDispose]: () => value.destroy() }
}
