// How many CPUs this process may use: what its control group allows, else what the machine has.
import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'

/** At least 1; a part of a CPU counts as one. `root`: where control groups are mounted. */
export async function cpuLimit(root = '/sys/fs/cgroup'): Promise<number> {
  const machine = availableParallelism()
  const quota = (await readVersion2(root)) ?? (await readVersion1(root))
  return quota === undefined ? machine : Math.max(1, Math.min(machine, Math.ceil(quota)))
}

/** `cpu.max` holds "quota period" in microseconds, or "max period". */
async function readVersion2(root: string): Promise<number | undefined> {
  const [quota, period] = (await readText(`${root}/cpu.max`)).split(/\s+/)
  return share(quota, period)
}

/** A quota of -1 is none. */
async function readVersion1(root: string): Promise<number | undefined> {
  return share(await readText(`${root}/cpu/cpu.cfs_quota_us`), await readText(`${root}/cpu/cpu.cfs_period_us`))
}

function share(quota: string | undefined, period: string | undefined): number | undefined {
  const cpus = Number(quota) / Number(period)
  return Number.isFinite(cpus) && cpus > 0 ? cpus : undefined
}

/** Empty when there is no such file: another version of control groups, or none. */
async function readText(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).trim()
}
