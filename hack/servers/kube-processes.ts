// The command lines of etcd, kube-apiserver and kube-controller-manager on loopback.
import { join } from 'node:path'
import type { KubeCertificates } from './kube-certificates.ts'
import { type KubeTool, kubeTool } from './kube-tool.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export interface KubePlace {
  dataDir: string
  certificates: KubeCertificates
  /** False: what etcd wrote last may be missing after a crash of the machine. */
  durable: boolean
}

const STOP_WITHIN_MS = 10_000

/** Starts etcd, which listens on these two ports; only holders of a certificate of the authority get in. */
export async function startEtcd(place: KubePlace, port: number, peerPort: number): Promise<ServerProcess> {
  const { dataDir, certificates, durable } = place
  const [client, peer] = [`https://127.0.0.1:${port}`, `https://127.0.0.1:${peerPort}`]
  const { certificate, key } = certificates.server
  return start('etcd', dataDir, {
    'data-dir': join(dataDir, 'etcd'),
    logger: 'zap',
    'log-level': 'warn',
    'unsafe-no-fsync': !durable,
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'cert-file': certificate,
    'key-file': key,
    'client-cert-auth': true,
    'trusted-ca-file': certificates.authority,
    'peer-cert-file': certificate,
    'peer-key-file': key,
    'peer-client-cert-auth': true,
    'peer-trusted-ca-file': certificates.authority,
  })
}

/** Starts the API server: RBAC, no anonymous access, tokens of ServiceAccounts. */
export async function startApiServer(
  { dataDir, certificates }: KubePlace,
  port: number,
  etcdPort: number,
  extra: readonly string[],
): Promise<ServerProcess> {
  const { server, authority, serviceAccountKey } = certificates
  const flags = {
    'etcd-servers': `https://127.0.0.1:${etcdPort}`,
    'etcd-cafile': authority,
    'etcd-certfile': server.certificate,
    'etcd-keyfile': server.key,
    'bind-address': '127.0.0.1',
    'advertise-address': '127.0.0.1',
    'secure-port': port,
    'tls-cert-file': server.certificate,
    'tls-private-key-file': server.key,
    'client-ca-file': authority,
    'cert-dir': join(dataDir, 'unused-certificates'),
    'authorization-mode': 'RBAC',
    'anonymous-auth': false,
    profiling: false,
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': serviceAccountKey,
    'service-account-signing-key-file': serviceAccountKey,
    'service-cluster-ip-range': '10.0.0.0/24',
    'endpoint-reconciler-type': 'none',
  }
  return start('kube-apiserver', dataDir, flags, extra)
}

/** Starts the controllers that need no nodes: garbage collection, end of namespaces, default ServiceAccounts. */
export async function startControllerManager(
  { dataDir, certificates }: KubePlace,
  kubeconfig: string,
  port: number,
): Promise<ServerProcess> {
  const without = ['nodeipam', 'nodelifecycle', 'cloud-node-lifecycle', 'service-lb-controller', 'node-route-controller']
  return start('kube-controller-manager', dataDir, {
    kubeconfig,
    'bind-address': '127.0.0.1',
    'secure-port': port,
    'cert-dir': join(dataDir, 'unused-certificates'),
    'leader-elect': false,
    'use-service-account-credentials': true,
    'service-account-private-key-file': certificates.serviceAccountKey,
    'root-ca-file': certificates.authority,
    controllers: ['*', ...without.map((name) => `-${name}`)].join(','),
  })
}

async function start(
  name: KubeTool,
  dataDir: string,
  flags: Readonly<Record<string, string | number | boolean>>,
  extra: readonly string[] = [],
): Promise<ServerProcess> {
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`)
  return startServerProcess(await kubeTool(name), [...args, ...extra], {
    env: {},
    stopSignal: 'SIGTERM',
    lastSignal: 'SIGKILL',
    stopWithinMs: STOP_WITHIN_MS,
    logFile: join(dataDir, `${name}.log`),
    keepLog: true,
  })
}
