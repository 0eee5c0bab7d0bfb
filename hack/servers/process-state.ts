// Whether a process lives, and which life of its number that is: numbers come round again, and a process that has ended keeps its own until its
// parent takes note, which in a container without an init nobody may ever do.
import { readFile } from 'node:fs/promises'

const ENDED = new Set(['Z', 'X'])

/** Tells this life of the number from any other; undefined when nobody lives under it. */
export async function processState(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return takesSignals(pid) ? 'unknown' : undefined // no /proc on this system
  // proc(5): behind the second field, a name in brackets that may itself hold spaces, come the state and, as the 22nd, the start time.
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
