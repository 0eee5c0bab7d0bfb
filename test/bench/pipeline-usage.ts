// CPU use of the pipeline's processes, and of the whole machine.
import { readFile } from 'node:fs/promises'
import type { PipelineSystem } from './pipeline-system.ts'
import { cpuMs, mainThreadMs } from './process-usage.ts'

/** The suffix of a sealing process's name. */
export const SEAL_WORKER = 'seal worker'

/** CPU ms by process over a period, and the machine's load, from 0 to 1. */
export interface Spent {
  cpuMs: Map<string, number>
  machineBusy: number
}

/** Starts counting; the result ends it and returns the figures. */
export async function startCounting(system: PipelineSystem): Promise<() => Promise<Spent>> {
  const [before, machine] = [await usageOf(system), await machineTicks()]
  return async () => {
    const [after, { busy, all }] = [await usageOf(system), await machineTicks()]
    return {
      cpuMs: new Map(Array.from(after, ([name, used]) => [name, used - (before.get(name) ?? 0)])),
      machineBusy: (busy - machine.busy) / (all - machine.all),
    }
  }
}

/** By process; for the worker, the event loop and the other threads separately. */
async function usageOf({ pids }: PipelineSystem): Promise<Map<string, number>> {
  const entries = await Promise.all(
    Array.from(pids, async ([name, pid]) => {
      if (!name.endsWith(SEAL_WORKER)) return [[name, await cpuMs(pid)]] as const
      const [all, main] = [await cpuMs(pid), await mainThreadMs(pid)]
      return [
        [`${name}, event loop`, main],
        [`${name}, other threads`, all - main],
      ] as const
    }),
  )
  return new Map(entries.flat())
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
async function machineTicks(): Promise<{ busy: number; all: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const all = ticks.reduce((sum, each) => sum + each, 0)
  return { all, busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0) }
}
