// kubectl and helm in a namespace of the kind cluster, with the images that were loaded into it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { expect, inject, vi } from 'vitest'
import { runProgram } from './run-program.ts'

export interface Answer {
  exitCode: number
  stdout: string
  stderr: string
}

export interface HostPort {
  host: string
  port: number
}

export interface Forwarded extends AsyncDisposable {
  port: number
}

interface Secret {
  data: Record<string, string>
}
interface Service {
  spec: { ports: { nodePort: number }[] }
}
interface Nodes {
  items: { status: { addresses: { type: string; address: string }[] } }[]
}

export interface Cluster {
  helm(...args: readonly string[]): Promise<Answer>
  kubectl(...args: readonly string[]): Promise<Answer>
  /** An object, or a list of a kind. Throws what kubectl says. */
  read: <T>(name: string) => Promise<T>
  /** The texts of a Secret. */
  readSecret(name: string): Promise<Record<string, string>>
  /** Applies objects as this client or, with `as`, as another user. */
  apply(objects: readonly object[], ...args: readonly string[]): Promise<Answer>
  /** Posts a body to a path of the API server. */
  createRaw(path: string, body: object): Promise<Answer>
  /** Creates a Service of its own for the API, perhaps before there are pods, and returns where this machine reaches it. */
  exposeApi(): Promise<HostPort>
  /** A port of this machine that leads to a port of a pod, past all NetworkPolicies. */
  forward(pod: string, port: number): Promise<Forwarded>
  /** With restricted Pod Security. */
  createNamespace(): Promise<void>
  deleteNamespace(): Promise<void>
  /** Arguments of helm that name our images, and allow a test more requests than a quota does. */
  testValues: readonly string[]
}

export function kindCluster(namespace: string): Cluster {
  const programs = inject('kindPrograms')
  const common = ['--kubeconfig', inject('kindKubeconfig'), '--namespace', namespace]
  async function run(program: string, args: readonly string[], input = ''): Promise<Answer> {
    const { exitCode, stdout, stderr } = await runProgram(path.join(programs, program), [...args, ...common], input)
    return { exitCode, stdout: stdout.toString('utf8'), stderr }
  }
  const apply = (objects: readonly object[], ...args: readonly string[]) =>
    run('kubectl', ['apply', '--filename', '-', ...args], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  async function kubectlOrThrow(...args: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await run('kubectl', args)
    if (exitCode !== 0) throw new Error(stderr)
    return stdout
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a test reads of it
  const read = async <T>(name: string) => JSON.parse(await kubectlOrThrow('get', name, '--output', 'json')) as T
  return {
    helm: (...args) => run('helm', args),
    kubectl: (...args) => run('kubectl', args),
    read,
    async readSecret(name) {
      const { data } = await read<Secret>(`secret/${name}`)
      return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]))
    },
    apply,
    createRaw: (path, body) => run('kubectl', ['create', '--raw', path, '--filename', '-'], JSON.stringify(body)),
    async exposeApi() {
      expect(await apply([outsideService])).toMatchObject({ exitCode: 0 })
      const { spec } = await read<Service>('service/outside')
      const { items } = await read<Nodes>('nodes')
      const host = items[0]?.status.addresses.find(({ type }) => type === 'InternalIP')?.address ?? ''
      return { host, port: spec.ports[0]?.nodePort ?? 0 }
    },
    async forward(pod, port) {
      const child = spawn(path.join(programs, 'kubectl'), ['port-forward', pod, `:${port}`, ...common], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
      const local = Number(/127\.0\.0\.1:(\d+)/.exec(String(line))?.[1])
      if (!local) throw new Error(`kubectl does not forward to ${pod}: ${String(line)}`)
      return {
        port: local,
        async [Symbol.asyncDispose]() {
          if (child.exitCode === null && child.kill()) await once(child, 'exit')
        },
      }
    },
    async createNamespace() {
      await kubectlOrThrow('delete', 'namespace', namespace, '--ignore-not-found', '--timeout', '60s')
      await kubectlOrThrow('create', 'namespace', namespace)
      await kubectlOrThrow('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted')
    },
    async deleteNamespace() {
      await kubectlOrThrow('delete', 'namespace', namespace, '--ignore-not-found', '--timeout', '60s')
    },
    testValues: testValues(inject('image')),
  }
}

/** Of one object. */
export async function finalizersOf({ read }: Pick<Cluster, 'read'>, name: string): Promise<string[]> {
  const { metadata } = await read<{ metadata: { finalizers?: string[] } }>(name)
  return metadata.finalizers ?? []
}

const outsideService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'outside' },
  spec: {
    type: 'NodePort',
    selector: { 'app.kubernetes.io/instance': 'sealwright', 'app.kubernetes.io/component': 'api' },
    ports: [{ port: 80, targetPort: 'http' }],
  },
}

/** Waits until the Service has a pod and its rules are written. */
export async function untilAccepting(address: HostPort): Promise<void> {
  await vi.waitUntil(() => accepts(address), { timeout: 20_000, interval: 100 })
}

function accepts({ host, port }: HostPort): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

const LIMITS = [
  'quotaApiRequestsPerMinute',
  'quotaEmailsPerHour',
  'quotaEnvelopesSentPerDay',
  'rateUploadsPerMinute',
  'rateCeremonyPerAddressPerMinute',
]

function testValues(image: string): string[] {
  const servers = {
    'evaluation.postgres': 'sealwright/postgres',
    'evaluation.nats': 'sealwright/nats',
    'evaluation.objectStore': 'sealwright/versitygw',
  }
  const [repository = '', tag = ''] = image.split(':')
  const named = Object.entries(servers).flatMap(([key, name]) => [`${key}.image.repository=${name}`, `${key}.image.tag=test`])
  const values = [`image.repository=${repository}`, `image.tag=${tag}`, 'image.pullPolicy=IfNotPresent', ...named]
  return [
    ...values.flatMap((value) => ['--set-string', value]),
    ...LIMITS.flatMap((name) => ['--set', `settings.${name}=1000000`]),
  ]
}
