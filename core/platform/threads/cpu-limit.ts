// How many CPUs this process may use: the limit of its control group and the groups above it, or else the machine's number.
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'

export interface CpuSources {
  /** The CPUs of the machine that this process may use. */
  readonly machine: number
  /** Where control groups are mounted: those of version 2, or the folder `cpu` of version 1. */
  readonly root: string
  /** The file that names the groups of this process. */
  readonly membership: string
}

/** At least 1; fractions are rounded up. An unreadable source sets no limit. Sources default to those of this process. */
export async function cpuLimit({
  machine = availableParallelism(),
  root = '/sys/fs/cgroup',
  membership = '/proc/self/cgroup',
}: Partial<CpuSources> = {}): Promise<number> {
  const own = await readText(membership)
  const quotas = await Promise.all([
    ...lineage(pathIn(own, /^0::(.*)$/m)).map((group) => readVersion2(path.join(root, group))),
    ...lineage(pathIn(own, /^\d+:(?:[^:\n]+,)?cpu(?:,[^:\n]*)?:(.*)$/m)).map((group) =>
      readVersion1(path.join(root, 'cpu', group)),
    ),
  ])
  return Math.max(1, Math.min(machine, ...quotas.map(Math.ceil)))
}

/** The root when the group is not visible from here: in a container, or above its own namespace (`/../..`). */
function pathIn(membership: string, line: RegExp): string {
  const group = line.exec(membership)?.[1] ?? '/'
  return group.split('/').includes('..') ? '/' : group
}

/** The group and all groups above it, up to the root; the lowest limit applies. Missing folders set no limit, for example in a container that sees
 *  its path outside. */
function lineage(group: string): string[] {
  const parent = path.dirname(group)
  return parent === group ? [group] : [group, ...lineage(parent)]
}

/** `cpu.max` holds "quota period" in microseconds, or "max period". */
async function readVersion2(group: string): Promise<number> {
  const [quota, period] = (await readText(path.join(group, 'cpu.max'))).split(/\s+/)
  return share(quota, period)
}

/** A quota of -1 means no limit. */
async function readVersion1(group: string): Promise<number> {
  return share(await readText(path.join(group, 'cpu.cfs_quota_us')), await readText(path.join(group, 'cpu.cfs_period_us')))
}

function share(quota: string | undefined, period: string | undefined): number {
  const cpus = Number(quota) / Number(period)
  return cpus > 0 ? cpus : Infinity
}

/** Empty when there is no such file: another version of control groups, or none. */
async function readText(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trim()
}
