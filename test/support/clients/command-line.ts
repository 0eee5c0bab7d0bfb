// `sealwright COMMAND` as operators run it, with nothing in the environment but its settings. In this process it costs a fraction
// of a process of its own; each command runs as a process in one test all the same.
import { execFile } from 'node:child_process'
import { runCommand } from '../../../api/cli/run-command.ts'

export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

type Settings = Readonly<Record<string, string>>

/** Runs the command in this process, which it takes the environment and the standard output of: one at a time. */
export async function runInProcess(settings: Settings, args: readonly string[]): Promise<CommandResult> {
  const { env } = process
  process.env = { PATH: env['PATH'], ...settings }
  try {
    return await captured(() => runCommand(args))
  } finally {
    process.env = env
  }
}

/** What a command of this process writes, and the exit code that it sets. One at a time. */
export async function captured(run: () => Promise<void>): Promise<CommandResult> {
  const { exitCode } = process
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  process.exitCode = 0
  try {
    await run()
    return { code: process.exitCode, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.exitCode = exitCode
    stdout.restore()
    stderr.restore()
  }
}

/** Runs the command as a process of its own; `onError` is called for what it writes to stderr. */
export function runAsProcess(
  settings: Settings,
  args: readonly string[],
  onError: () => void = () => {},
): Promise<CommandResult> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: 'node_modules/.compile-cache', ...settings }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['api/cli/main.ts', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
    child.stderr?.on('data', onError)
  })
}

function capture(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { write } = stream
  let text = ''
  stream.write = (chunk: Uint8Array | string) => {
    text += String(chunk)
    return true
  }
  return { text: () => text, restore: () => void (stream.write = write) }
}
