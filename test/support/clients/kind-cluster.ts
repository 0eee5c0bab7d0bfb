// kubectl and helm in a namespace of the kind cluster, with the images that were loaded into it.
import path from 'node:path'
import { inject } from 'vitest'
import { runProgram } from './run-program.ts'

export interface Answer {
  exitCode: number
  stdout: string
  stderr: string
}

export interface Cluster {
  helm(...args: readonly string[]): Promise<Answer>
  kubectl(...args: readonly string[]): Promise<Answer>
  /** An object, or a list of a kind. Throws what kubectl says. */
  read<T>(name: string): Promise<T>
  /** With restricted Pod Security. */
  createNamespace(): Promise<void>
  deleteNamespace(): Promise<void>
  /** Arguments of helm that name our images. */
  imageValues: readonly string[]
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
  return {
    helm: (...args) => run('helm', args),
    kubectl: (...args) => run('kubectl', args),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a test reads of it
    read: async <T>(name: string) => JSON.parse(await kubectlOrThrow('get', name, '--output', 'json')) as T,
    async createNamespace() {
      await kubectlOrThrow('delete', 'namespace', namespace, '--ignore-not-found', '--timeout', '60s')
      await kubectlOrThrow('create', 'namespace', namespace)
      await kubectlOrThrow('label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted')
    },
    deleteNamespace: async () => void (await kubectlOrThrow('delete', 'namespace', namespace, '--timeout', '60s')),
    imageValues: imageValues(inject('image')),
  }
}

function imageValues(image: string): string[] {
  const servers = {
    'evaluation.postgres': 'sealwright/postgres',
    'evaluation.nats': 'sealwright/nats',
    'evaluation.objectStore': 'sealwright/versitygw',
  }
  const [repository = '', tag = ''] = image.split(':')
  const named = Object.entries(servers).flatMap(([key, name]) => [`${key}.image.repository=${name}`, `${key}.image.tag=test`])
  const values = [`image.repository=${repository}`, `image.tag=${tag}`, 'image.pullPolicy=IfNotPresent', ...named]
  return values.flatMap((value) => ['--set-string', value])
}
