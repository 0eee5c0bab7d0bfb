// kubectl and helm in a namespace of the kind cluster, with the images that were loaded into it.
import { connect } from 'node:net'
import path from 'node:path'
import { expect, inject } from 'vitest'
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
  read<T>(name: string): Promise<T>
  /** The texts of a Secret. */
  readSecret(name: string): Promise<Record<string, string>>
  /** Where this machine reaches the pods of the API, through a Service of its own. */
  exposeApi(): Promise<HostPort>
  /** With restricted Pod Security. */
  createNamespace(): Promise<void>
  deleteNamespace(): Promise<void>
  /** Arguments of helm that name our images, and allow a test more requests than a quota does. */
  testValues: readonly string[]
}

export function kindCluster(namespace: string): Cluster {
  const programs = inject('kindPrograms')
  const common = ['--kubeconfig', inject('kindKubeconfig'), '--namespace', namespace]
  async function run(program: string, args: readonly string[]): Promise<Answer> {
    const { exitCode, stdout, stderr } = await runProgram(path.join(programs, program), [...args, ...common])
    return { exitCode, stdout: stdout.toString('utf8'), stderr }
  }
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
    async exposeApi() {
      await kubectlOrThrow(
        'expose',
        'deployment/sealwright-api',
        '--name',
        'outside',
        '--type',
        'NodePort',
        '--port',
        '80',
        '--target-port',
        'http',
      )
      const { spec } = await read<Service>('service/outside')
      const { items } = await read<Nodes>('nodes')
      const host = items[0]?.status.addresses.find(({ type }) => type === 'InternalIP')?.address ?? ''
      const address = { host, port: spec.ports[0]?.nodePort ?? 0 }
      // The rules of a new Service are written a moment later.
      await expect.poll(() => accepts(address), { timeout: 20_000 }).toBe(true)
      return address
    },
    async createNamespace() {
      await kubectlOrThrow('delete', 'namespace', namespace, '--ignore-not-found', '--timeout', '60s')
      await kubectlOrThrow('create', 'namespace', namespace)
      await kubectlOrThrow('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted')
    },
    deleteNamespace: async () => void (await kubectlOrThrow('delete', 'namespace', namespace, '--timeout', '60s')),
    testValues: testValues(inject('image')),
  }
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

function testValues(image: string): string[] {
  const servers = {
    'evaluation.postgres': 'sealwright/postgres',
    'evaluation.nats': 'sealwright/nats',
    'evaluation.objectStore': 'sealwright/versitygw',
  }
  const [repository = '', tag = ''] = image.split(':')
  const named = Object.entries(servers).flatMap(([key, name]) => [`${key}.image.repository=${name}`, `${key}.image.tag=test`])
  const values = [`image.repository=${repository}`, `image.tag=${tag}`, 'image.pullPolicy=IfNotPresent', ...named]
  return [...values.flatMap((value) => ['--set-string', value]), '--set', 'settings.quotaApiRequestsPerMinute=1000000']
}
