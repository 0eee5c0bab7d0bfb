// Containers of an image, restricted as the pods of the chart are.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { runProgram } from './run-program.ts'

const run = promisify(execFile)

/** Read-only root, no capability, any user; only the data folder is writable. Servers of this machine are reachable under its addresses. */
function restrictions(user: string): string[] {
  const data = '/var/lib/sealwright:rw,mode=1777,noexec'
  return [
    '--read-only',
    '--user',
    user,
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
    '--tmpfs',
    data,
    '--network',
    'host',
  ]
}

const settingArguments = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`])

export interface ContainerOptions {
  user?: string
  settings?: Readonly<Record<string, string>>
  /** Absent: that of the image. */
  entrypoint?: string
}

/** Runs a command of the image to its end. */
export async function runContainer(image: string, args: readonly string[], options: ContainerOptions = {}) {
  const { user = '65532:65532', settings = {}, entrypoint } = options
  const program = entrypoint === undefined ? [] : ['--entrypoint', entrypoint]
  const result = await runProgram('docker', [
    'run',
    '--rm',
    ...restrictions(user),
    ...settingArguments(settings),
    ...program,
    image,
    ...args,
  ])
  return { ...result, stdout: result.stdout.toString('utf8') }
}

export interface RunningContainer extends AsyncDisposable {
  /** SIGTERM; returns the exit code. */
  stop(): Promise<number>
  /** Files that the container has written outside of its volumes. */
  changes(): Promise<string>
  log(): Promise<string>
  /** As `docker stats` shows it. */
  memory(): Promise<string>
}

/** Starts a process of the image. */
export async function startContainer(
  image: string,
  args: readonly string[],
  { user = '65532:65532', settings = {} }: ContainerOptions,
) {
  const { stdout } = await run('docker', [
    'run',
    '--detach',
    ...restrictions(user),
    ...settingArguments(settings),
    image,
    ...args,
  ])
  const id = stdout.trim()
  return {
    async stop() {
      await run('docker', ['stop', '--time', '40', id])
      return Number((await run('docker', ['inspect', '--format', '{{.State.ExitCode}}', id])).stdout)
    },
    memory: async () => (await run('docker', ['stats', '--no-stream', '--format', '{{.MemUsage}}', id])).stdout.trim(),
    changes: async () => (await run('docker', ['diff', id])).stdout,
    async log() {
      const { stdout: out, stderr } = await run('docker', ['logs', id])
      return out + stderr
    },
    async [Symbol.asyncDispose]() {
      await run('docker', ['rm', '--force', '--volumes', id])
    },
  } satisfies RunningContainer
}

/** What `docker image inspect` says. */
export async function inspectImage(image: string, format: string): Promise<string> {
  return (await run('docker', ['image', 'inspect', '--format', format, image])).stdout.trim()
}

export interface TreeEntry {
  /** As `ls -l` writes it. */
  mode: string
  owner: string
  bytes: number
  path: string
}

/** Every file of the image. */
export async function listImage(image: string): Promise<TreeEntry[]> {
  const { stdout: created } = await run('docker', ['create', image])
  const id = created.trim()
  try {
    const archive = spawn('docker', ['export', id], { stdio: ['ignore', 'pipe', 'inherit'] })
    const list = spawn('tar', ['--list', '--verbose', '--numeric-owner'], { stdio: [archive.stdout, 'pipe', 'inherit'] })
    const text = await readAll(list)
    return text.trimEnd().split('\n').map(readEntry)
  } finally {
    await run('docker', ['rm', id])
  }
}

async function readAll(program: ChildProcess): Promise<string> {
  const chunks: Buffer[] = []
  program.stdout?.on('data', (chunk: Buffer) => void chunks.push(chunk))
  await once(program, 'close')
  return Buffer.concat(chunks).toString('utf8')
}

/** Mode, owner, size, date, time, name. */
function readEntry(line: string): TreeEntry {
  const [, mode = '', owner = '', bytes = '', name = ''] = /^(\S+) (\S+) +(\d+) \S+ \S+ (.*)$/.exec(line) ?? []
  return { mode, owner, bytes: Number(bytes), path: name.replace(/ (->|link to) .*$/, '') }
}
