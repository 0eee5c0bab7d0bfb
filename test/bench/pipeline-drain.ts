// Drains a long queue of seals and measures each process's cost, the worker's memory, the reported age of the queue, and how soon a second
// worker takes part.
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { PipelineSystem, TierProcess } from './pipeline-system.ts'
import { SEAL_WORKER, startCounting } from './pipeline-usage.ts'
import { residentMiB } from './process-usage.ts'

export interface Drain {
  seals: number
  /** From the first to the last stored seal, by the database's commit times. */
  seconds: number
  /** CPU ms of each process per seal, until the last one was stored. */
  cpuMsPerSeal: Map<string, number>
  /** The fraction of the machine's CPU time that was used, by any process, from 0 to 1. */
  machineBusy: number
  /** The first worker's memory at each tenth of the queue. */
  residentMiB: number[]
  /** The largest difference, in seconds, between the age that the worker reports and the database's at that moment. */
  ageOffBySeconds: number
  oldestSeconds: number
  /** Seconds from a second worker's start, and from its readiness, to its first seal; undefined without a second worker. */
  second: { sinceStart: number; sinceReady: number } | undefined
}

const LOOK_EVERY_MS = 500
const AGE_EVERY_LOOKS = 4
export const SEAL_ROLE = ['workers/main.ts', 'seal']
const WITHIN_MS = 600_000

/** Drains the queue; starts the worker for it, and stops it. `second`: a second worker joins when a third is done. */
export async function drainQueue(system: PipelineSystem, { second }: { second: boolean }): Promise<Drain> {
  await using stack = new AsyncDisposableStack()
  const worker = await system.start(SEAL_WORKER, SEAL_ROLE)
  stack.defer(() => worker.stop())
  const seals = await waiting(system)
  const spentSince = await startCounting(system)
  const watched: Watched = { residentMiB: [], ages: [], joined: undefined }
  for (let pollTimer = 0, left = seals, until = performance.now() + WITHIN_MS; left > 0; pollTimer++) {
    await delay(LOOK_EVERY_MS)
    if (performance.now() > until) throw new Error(`${left} seals were left.`)
    left = await waiting(system)
    await watch(system, worker, watched, { done: 1 - left / seals, askAge: pollTimer % AGE_EVERY_LOOKS === 0 })
    if (second && left / seals < 2 / 3) watched.joined ??= joinWorker(system)
  }
  const { cpuMs, machineBusy } = await spentSince()
  const joined = await watched.joined
  await joined?.worker.stop()
  return {
    seals,
    seconds: await stretchOfSeals(system, seals),
    cpuMsPerSeal: new Map(Array.from(cpuMs, ([name, ms]) => [name, ms / seals])),
    machineBusy,
    residentMiB: watched.residentMiB,
    ageOffBySeconds: Math.max(0, ...watched.ages.map(({ offBy }) => offBy)),
    oldestSeconds: Math.max(0, ...watched.ages.map(({ age }) => age)),
    second: joined && { sinceStart: joined.sinceStart, sinceReady: joined.sinceReady },
  }
}

interface Watched {
  residentMiB: number[]
  ages: { offBy: number; age: number }[]
  joined: ReturnType<typeof joinWorker> | undefined
}

async function watch(
  system: PipelineSystem,
  worker: TierProcess,
  watched: Watched,
  { done, askAge }: { done: number; askAge: boolean },
): Promise<void> {
  while (watched.residentMiB.length < Math.floor(done * 10)) watched.residentMiB.push(await residentMiB(worker.pid))
  if (askAge && done < 1) watched.ages.push(await compareAge(system, worker))
}

async function waiting({ owner }: PipelineSystem): Promise<number> {
  const [row] = await owner<{ count: number }[]>`select count(*)::int as count from seal_jobs where state = 'WAITING'`
  return row!.count
}

/** The true age lies between the database's values before and after the worker's report. */
async function compareAge(system: PipelineSystem, worker: TierProcess): Promise<{ offBy: number; age: number }> {
  const before = await oldestAge(system)
  const text = await (await fetch(worker.metricsUrl)).text()
  const after = await oldestAge(system)
  const reported = Number(/^sealwright_work_oldest_age_seconds\{kind="seal"\} (\S+)$/m.exec(text)?.[1])
  const [low, high] = [Math.min(before, after), Math.max(before, after)]
  return { offBy: Math.max(0, low - reported, reported - high), age: reported }
}

async function oldestAge({ owner }: PipelineSystem): Promise<number> {
  const [row] = await owner<{ age: number }[]>`
    select coalesce(extract(epoch from now() - min(wanted_at)), 0)::float8 as age from seal_jobs where state = 'WAITING'`
  return row!.age
}

async function stretchOfSeals({ owner }: PipelineSystem, seals: number): Promise<number> {
  const [row] = await owner<{ seconds: number }[]>`
    select extract(epoch from max(at) - min(at))::float8 as seconds
    from (select pg_xact_commit_timestamp(xmin) as at from sealed_documents where stored_at is not null order by at desc limit ${seals}) stored`
  return row!.seconds
}

async function joinWorker(system: PipelineSystem): Promise<{ worker: TierProcess; sinceStart: number; sinceReady: number }> {
  const startedAt = Date.now()
  const worker = await system.start(`second ${SEAL_WORKER}`, SEAL_ROLE)
  const readyAt = await timeOf(worker, 'role.started')
  const sealedAt = await timeOf(worker, 'envelope.sealed')
  return { worker, sinceStart: (sealedAt - startedAt) / 1000, sinceReady: (sealedAt - readyAt) / 1000 }
}

/** When the process first logged the message. */
async function timeOf({ logFile }: TierProcess, message: string): Promise<number> {
  for (;;) {
    const line = (await readFile(logFile, 'utf8')).split('\n').find((each) => each.includes(`"msg":"${message}"`))
    if (line !== undefined) return Date.parse(JSON.parse(line).time)
    await delay(50)
  }
}
