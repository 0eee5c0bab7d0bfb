// Runs an external program and collects its output. Exit codes are data; only a missing program is an error.
import { spawn } from 'node:child_process'

export interface ProgramResult {
  exitCode: number
  stdout: Buffer
  stderr: string
}

/** Runs it to its end and never throws for an exit code; throws when the program is missing or killed by a signal. */
export async function runProgram(
  program: string,
  args: readonly string[],
  input: string | Buffer = '',
  { env, ...options }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<ProgramResult> {
  const child = spawn(program, args, { ...options, stdio: 'pipe', env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env } })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  child.stdin.on('error', () => undefined) // a program that exits before it has read its input is judged by its exit code
  child.stdin.end(input)
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${program} does not run: ${error.message}`, { cause: error })))
    child.once('close', (code, signal) =>
      code === null ? reject(new Error(`${program} was ended by ${String(signal)}`)) : resolve(code),
    )
  })
  return { exitCode, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8') }
}
