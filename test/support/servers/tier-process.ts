// One process of a tier as an operator starts it: the test gives its whole environment; output and exit code are data.
import { type ChildProcess, spawn } from 'node:child_process'

export type Environment = Readonly<Record<string, string>>

export interface TierProcess {
  /** Its output except log lines. */
  words: () => string[]
  /** Its log lines so far, as objects. */
  log: () => Record<string, unknown>[]
  exited: Promise<number | null>
  /** Sends SIGTERM; returns the exit code. */
  stop: () => Promise<number | null>
}

/** Starts `node` with these arguments. */
export function startTier(command: readonly string[], environment: Environment): TierProcess {
  const child: ChildProcess = spawn(process.execPath, [...command], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: 'node_modules/.compile-cache', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  const lines = () => text.split('\n').filter(Boolean)
  const isLog = (line: string): boolean => line.startsWith('{') && line.endsWith('}')
  return {
    words: () => lines().filter((line) => !isLog(line)),
    log: () =>
      lines()
        .filter(isLog)
        .map((line) => JSON.parse(line)),
    exited,
    async stop() {
      child.kill('SIGTERM')
      return await exited
    },
  }
}

const ENDS_WITHIN_MS = 200_000

/** Starts it and waits for its exit; one that keeps running is stopped and reported. */
export async function runTier(
  command: readonly string[],
  environment: Environment,
): Promise<{ code: number | null; words: string[] }> {
  const started = startTier(command, environment)
  let isLate = false
  const patience = setTimeout(() => {
    isLate = true
    void started.stop()
  }, ENDS_WITHIN_MS)
  const code = await started.exited
  clearTimeout(patience)
  const log = started.log().map((line) => JSON.stringify(line))
  return { code, words: isLate ? ['It went on.', ...started.words(), ...log] : started.words() }
}
