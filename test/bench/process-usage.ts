// CPU time and resident memory of processes from /proc, including a server's children. Linux only.
import { readdir, readFile } from 'node:fs/promises'

/** proc(5) counts in USER_HZ, which is 100 on every Linux that Node supports. */
const MS_PER_TICK = 10

/** CPU time so far, in ms: of the process and its descendants, including ended children that were reaped. */
export async function cpuMs(pid: number): Promise<number> {
  const pids = [pid, ...(await descendants(pid))]
  const times = await Promise.all(pids.map(ticksOf))
  return times.reduce((sum, ticks) => sum + ticks, 0) * MS_PER_TICK
}

/** CPU time so far, in ms, of the process's first thread: for Node, its event loop. */
export async function mainThreadMs(pid: number): Promise<number> {
  const [user = 0, system = 0] = await fieldsOf(`/proc/${pid}/task/${pid}/stat`)
  return (user + system) * MS_PER_TICK
}

/** Resident memory of the process alone, in MiB. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

async function descendants(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')))
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  return [...children, ...(await Promise.all(children.map(descendants))).flat()]
}

/** A process that ends meanwhile counts as zero here: its time is added to its parent's. */
async function ticksOf(pid: number): Promise<number> {
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = await fieldsOf(`/proc/${pid}/stat`).catch(() => [])
  return user + system + childUser + childSystem
}

/** utime, stime, cutime, cstime: fields 14 to 17 of stat, counted after the name in brackets, which may contain spaces. */
async function fieldsOf(file: string): Promise<number[]> {
  const stat = await readFile(file, 'utf8')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
}
