// Kill points: places at which a process kills itself, each a given number of times over all restarts. A test writes them to a folder; the
// process, started with `preload.ts`, writes a file with its pid there just before it dies.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * What a process is about to do: send a statement to Postgres, send the commit of a transaction with such a statement, finish an HTTP
 * response, write to a socket.
 */
export type Act = 'statement' | 'commit' | 'answer' | 'write'

export interface KillPoint {
  /** `api`, `controller` or a worker's role. */
  process: string
  /** The place, in words. */
  where: string
  act: Act
  /** A regular expression for the statement on one line, for `POST /path 200 body`, or for the written data. */
  text: string
  /** How many times a process dies here. */
  times: number
}

const TABLE = 'marks.json'

/** Writes the kill points to `folder`, which it creates, and returns the Node argument for the processes that must die. */
export function armKillPoints(folder: string, marks: readonly KillPoint[]): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, TABLE), JSON.stringify(marks))
  const preload = new URL('preload.ts', import.meta.url)
  preload.searchParams.set('folder', folder)
  return `--import=${preload.href}`
}

export interface Death {
  mark: KillPoint
  pid: number
}

/** The deaths so far. */
export async function listDeaths(folder: string): Promise<Death[]> {
  const marks: KillPoint[] = JSON.parse(await readFile(path.join(folder, TABLE), 'utf8'))
  const files = (await readdir(folder)).filter((name) => name !== TABLE)
  return Promise.all(
    files.map(async (name) => {
      const mark = marks[Number.parseInt(name, 10)]
      if (!mark) throw new Error(`There is no mark ${name}.`)
      return { mark, pid: Number(await readFile(path.join(folder, name), 'utf8')) }
    }),
  )
}

type Pass = (act: Act, text: string) => void

/** In a process with kill points: called before every act. */
export let pass: Pass = () => {}

/** Makes this process die at its kill points. */
export function dieAtKillPoints(folder: string): void {
  const marks: KillPoint[] = JSON.parse(readFileSync(path.join(folder, TABLE), 'utf8'))
  const own = marks.flatMap((mark, index) =>
    mark.process === processName() ? [{ ...mark, index, pattern: new RegExp(mark.text, 's') }] : [],
  )
  pass = (act, text) => {
    const reached = own.find((mark) => mark.act === act && mark.pattern.test(text) && claim(folder, mark))
    if (reached) process.kill(process.pid, 'SIGKILL')
  }
}

function processName(): string {
  const [, file = '', ...roles] = process.argv
  const tier = path.basename(path.dirname(file))
  return tier === 'workers' ? roles.join(' ') : tier
}

/** False when enough processes have died here. */
function claim(folder: string, { index, times }: { index: number; times: number }): boolean {
  for (let time = 1; time <= times; time++) {
    try {
      writeFileSync(path.join(folder, `${index}-${time}`), String(process.pid), { flag: 'wx' })
      return true
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
  return false
}
