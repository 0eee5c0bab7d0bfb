// Whether a process runs, and its start time: pids are reused, and an ended process keeps its pid until its parent reaps it, which never
// happens in a container without an init.
import { readFile } from 'node:fs/promises'

const ENDED = new Set(['Z', 'X'])

/** Distinguishes processes that reuse a pid; undefined when no process has it. */
export async function processState(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return takesSignals(pid) ? 'unknown' : undefined // no /proc on this system
  // proc(5): after the second field, a name in brackets that may contain spaces, come the state and, as field 22, the start time.
  const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ENDED.has(state) ? undefined : rest[18]
}

function takesSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
