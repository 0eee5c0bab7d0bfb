// The tables of the pipeline benchmark: figures beside their baselines and goals.
import { cpus } from 'node:os'
import type { BareSeals } from './pipeline-bare.ts'
import type { Drain } from './pipeline-drain.ts'
import type { Idle } from './pipeline-idle.ts'
import type { RelayFigures } from './pipeline-relay.ts'
import { SEAL_THREADS } from './pipeline-system.ts'
import type { BenchTable } from './run.ts'

const GOAL = {
  p50Ms: 60,
  p99Ms: 250,
  sealed: 100,
  residentMiB: 250,
  /** The worker and the benchmark query one after the other, while the queue moves. */
  ageOffBySeconds: 0.1,
  joinSeconds: 2,
  relayed: 2_000,
  idlePercent: 1,
  idleQueries: 5,
}

const BARE = 'bare: read, seal, check, store, one row'

/** With a description of the moment it began. */
export type DescribedDrain = Drain & { about: string }

/** Ratios are against the bare seals of the same run. */
export function latencyTable(times: readonly number[], bare: BareSeals, about: string): BenchTable {
  const [ours, base] = [quantiles(times), quantiles(bare.ms)]
  return {
    title: `From the committed last signature to the stored seal, ms: idle system, one page of 10 KB, ${times.length} envelopes one by one\n(${about}; both commits' times by Postgres)`,
    columns: ['', 'p50', 'p90', 'p99', 'max'],
    rows: [
      ['through relay, NATS and worker', ...ours],
      [BARE, ...base],
      ['ratio', ...ours.map((ms, index) => ms / (base[index] ?? 0))],
    ],
    goal: {
      text: `p50 ${ours[0].toFixed(1)} ms < ${GOAL.p50Ms} ms, p99 ${ours[2].toFixed(1)} ms < ${GOAL.p99Ms} ms`,
      met: ours[0] < GOAL.p50Ms && ours[2] < GOAL.p99Ms,
    },
  }
}

/** Percent of one CPU, in kernel ticks of 10 ms. */
export function idleTable({ cpu, queriesPerSecond }: Idle, seconds: number): BenchTable {
  const ours = [...processes(cpu)].map(([name, part]) => [name, part * 100] as const)
  const busiest = Math.max(...ours.map(([, percent]) => percent))
  return {
    title: `Idle for ${seconds} s: every tier once, nothing to do; percent of one CPU (kernel ticks of 10 ms)`,
    columns: ['process', 'percent'],
    rows: ours.map(([name, percent]) => [name, percent]),
    goal: {
      text: `busiest process ${busiest.toFixed(2)} % < ${GOAL.idlePercent} %, ${queriesPerSecond.toFixed(1)} statements a second < ${GOAL.idleQueries}, all tiers together`,
      met: busiest < GOAL.idlePercent && queriesPerSecond < GOAL.idleQueries,
    },
  }
}

/** Rows per second, against the same messages without Postgres. */
export function relayTable({ rows, perSecond, barePerSecond }: RelayFigures): BenchTable {
  return {
    title: `Outbox to JetStream, ${rows} rows committed at once, one relay`,
    columns: ['', 'rows a second'],
    rows: [
      ['bare: the same messages without Postgres', barePerSecond],
      ['relay', perSecond],
      ['ratio', barePerSecond / perSecond],
    ],
    goal: { text: `${perSecond.toFixed(0)} >= ${GOAL.relayed} rows a second`, met: perSecond >= GOAL.relayed },
  }
}

/** The CPU of a seal by process, and whether there are enough seals per second. */
export function sustainedTable(drain: DescribedDrain, bare: BareSeals, mails: string): BenchTable {
  const all = [...drain.cpuMsPerSeal.values()].reduce((sum, ms) => sum + ms, 0)
  const perSecond = drain.seals / drain.seconds
  // The limit if all CPUs did only this.
  const possible = (cpus().length * 1000) / all
  return {
    title: `${drain.seals} seals of 100 KB, one worker with ${SEAL_THREADS} threads; ${mails}\n(${drain.about}, machine ${percent(drain.machineBusy)} busy)`,
    columns: ['process', 'CPU ms a seal', 'share'],
    rows: [
      ...[...drain.cpuMsPerSeal].map(([name, ms]) => [name, ms, percent(ms / all)]),
      ['all', all, percent(1)],
      [BARE, bare.cpuMsPerSeal, ''],
      ['ratio', all / bare.cpuMsPerSeal, ''],
    ],
    goal: {
      text: `${perSecond.toFixed(1)} >= ${GOAL.sealed} seals a second; by its CPU time, ${possible.toFixed(0)} on an otherwise idle machine`,
      met: perSecond >= GOAL.sealed,
    },
  }
}

/** A long queue: memory, correctness of its age, help from a second worker. */
export function queueTable(drain: DescribedDrain): BenchTable {
  const { about, seals, seconds, residentMiB, ageOffBySeconds, oldestSeconds, second } = drain
  const [first = 0, last = 0, most] = [residentMiB[0], residentMiB.at(-1), Math.max(...residentMiB)]
  const joined = second?.sinceStart ?? Infinity
  return {
    title: `${seals} queued seals of 100 KB; a second worker joins after a third\n(${about})`,
    columns: ['', ''],
    rows: [
      ['seals a second', seals / seconds],
      ['first worker, resident MiB at each tenth', residentMiB.map((size) => size.toFixed(0)).join(' ')],
      ['growth from first to last tenth, MiB', last - first],
      ['age of the oldest reported by the metric, at most, s', oldestSeconds],
      ["distance from the database's own age, at most, s", ageOffBySeconds],
      ["second worker's first seal after its start, s", joined],
      ['after it was ready, s', second?.sinceReady ?? Infinity],
    ],
    goal: {
      text: `resident ${most.toFixed(0)} MiB < ${GOAL.residentMiB} MiB, age off by ${ageOffBySeconds.toFixed(2)} s <= ${GOAL.ageOffBySeconds} s, second worker seals after ${joined.toFixed(1)} s < ${GOAL.joinSeconds} s`,
      met: most < GOAL.residentMiB && ageOffBySeconds <= GOAL.ageOffBySeconds && joined < GOAL.joinSeconds,
    },
  }
}

/** Merges the worker's threads and event loop into one process. */
function processes(cpu: Map<string, number>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, part] of cpu) {
    const process = name.split(',')[0] ?? name
    sums.set(process, (sums.get(process) ?? 0) + part)
  }
  return sums
}

function quantiles(values: readonly number[]): [p50: number, p90: number, p99: number, max: number] {
  const sorted = values.toSorted((left, right) => left - right)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return [at(0.5), at(0.9), at(0.99), at(1)]
}

function percent(part: number): string {
  return `${(part * 100).toFixed(0)} %`
}
