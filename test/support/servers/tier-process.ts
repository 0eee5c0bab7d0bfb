// One process of a tier as an operator starts it: its environment is what the test gives and nothing else, its words and its exit code are data.
import { type ChildProcess, spawn } from 'node:child_process'

export type Environment = Readonly<Record<string, string>>

export interface TierProcess {
  /** What it has said that is no log line. */
  words: () => string[]
  /** Its log lines so far, as objects. */
  log: () => Record<string, unknown>[]
  exited: Promise<number | null>
  /** SIGTERM; answers the exit code. */
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

/** Starts it and waits for its end; one that goes on is stopped, and says so. */
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
