// A process ends only when it is killed or stopped, whatever happens to its servers.
import { readFileSync } from 'node:fs'
import type { SoakProcess } from './soak-processes.ts'

const EXPECTED = new Set(['signal SIGKILL', 'signal SIGTERM', 'exit code 0'])

/** Throws an error with what it said when it ended by itself. */
export function assertOnlyEnded({ name, endings, logFile }: SoakProcess): void {
  const own = endings.filter((how) => !EXPECTED.has(how))
  if (own.length === 0) return
  const said = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'))
  throw new Error(`${name} exited on its own: ${own.join(', ')}\n${said.join('\n')}`)
}
