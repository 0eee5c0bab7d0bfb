// Seal workers that come and go with the queue, as an autoscaler would run them: a burst of 5,000 seals, the signal that any worker process reports, from one
// to four workers and back. Every document must be sealed once, whatever starts and stops meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import { describeMoment } from './machine.ts'
import { newAutoscaler } from './autoscaler.ts'
import { SEAL_ROLE } from './pipeline-drain.ts'
import { fillQueue, signOne, uploadOriginals } from './pipeline-fill.ts'
import { type PipelineSystem, startPipelineSystem, type TierProcess } from './pipeline-system.ts'
import { SEAL_WORKER } from './pipeline-usage.ts'
import { verifySample } from './pipeline-verify.ts'
import type { BenchTable } from './run.ts'
import { buildSamplePdf } from './sample-pdf.ts'
import { countSealed, type Sealed } from './scaling-count.ts'

/** Fewer for a quick run: SEALWRIGHT_BENCH_SHARE=0.1. */
const SHARE = Number(process.env['SEALWRIGHT_BENCH_SHARE'] ?? 1)
const SEALS = Math.round(5_000 * SHARE)
const WARM_UP = 100
const ORIGINALS = 50
const VERIFIED = 100
const USUAL = { pages: 4, bytes: 100_000, linksPerPage: 0 }
/** Seconds of work for each worker. */
const TARGET_SECONDS = 30 * SHARE
const MOST_WORKERS = 4
/** In the second half of the burst, as when a node is drained: workers stop while they seal. */
const MOST_LATER = 2
const LOOK_EVERY_MS = 500
/** Short, so that workers stop while seals are left: an autoscaler looks back five minutes by default. */
const STABLE_MS = 1_500
const WITHIN_MS = 1_800_000

export async function run(): Promise<BenchTable[]> {
  await using system = await startPipelineSystem()
  await system.start('API', ['api/main.ts'])
  const relay = await system.start('relay', ['workers/main.ts', 'relay', 'mail'])
  const template = await signOne(system, await buildSamplePdf(USUAL))
  const originals = await uploadOriginals(system, ORIGINALS, () => buildSamplePdf(USUAL))
  await using workers = await startWorkers(system)
  await fillQueue(system, template, originals, WARM_UP)
  await untilSealed(system)
  const about = await describeMoment(system.owner)
  await fillQueue(system, template, originals, SEALS)
  const moments = await scale(system, relay, workers)
  await verifySample(system, Math.min(VERIFIED, SEALS))
  return [table(moments, await countSealed(system), about)]
}

interface Workers extends AsyncDisposable {
  count(): number
  /** Starts or stops workers until so many run. */
  become(count: number): Promise<void>
}

/** With one worker. */
async function startWorkers(system: PipelineSystem): Promise<Workers> {
  const running: TierProcess[] = []
  let started = 0
  const become = async (count: number): Promise<void> => {
    while (running.length > count) await running.pop()?.stop()
    const missing = Array.from({ length: count - running.length }, () => `${++started}. ${SEAL_WORKER}`)
    running.push(...(await Promise.all(missing.map((name) => system.start(name, SEAL_ROLE)))))
  }
  await become(1)
  return { count: () => running.length, become, [Symbol.asyncDispose]: () => become(0) }
}

interface Moment {
  seconds: number
  left: number
  /** The signal. */
  secondsOfWork: number
  workers: number
}

/** Until all is sealed and one worker is left; a row for each change. */
async function scale(system: PipelineSystem, reporter: TierProcess, workers: Workers): Promise<Moment[]> {
  const autoscaler = newAutoscaler({ target: TARGET_SECONDS, stableMs: STABLE_MS })
  const moments: Moment[] = []
  const startedAt = performance.now()
  for (;;) {
    const [secondsOfWork, left] = [await readSignal(reporter), await waiting(system)]
    const now = performance.now() - startedAt
    if (now > WITHIN_MS) throw new Error(`${left} seals were left.`)
    const most = left > SEALS / 2 ? MOST_WORKERS : MOST_LATER
    const wanted = Math.min(most, autoscaler.decide(secondsOfWork, now))
    if (wanted !== moments.at(-1)?.workers) moments.push({ seconds: now / 1000, left, secondsOfWork, workers: wanted })
    await workers.become(wanted)
    if (left === 0 && workers.count() === 1) return moments
    await delay(LOOK_EVERY_MS)
  }
}

/** Of a process that seals nothing itself: it must know what the others measured. */
async function readSignal({ metricsUrl }: TierProcess): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  const value = /^sealwright_work_waiting_seconds\{role="seal"\} (\S+)$/m.exec(text)?.[1]
  if (value === undefined) throw new Error('The signal is missing.')
  return Number(value)
}

async function waiting({ owner }: PipelineSystem): Promise<number> {
  const [row] = await owner<{ count: number }[]>`select count(*)::int as count from seal_jobs where state = 'WAITING'`
  return row!.count
}

async function untilSealed(system: PipelineSystem): Promise<void> {
  while ((await waiting(system)) > 0) await delay(200)
}

function table(moments: readonly Moment[], sealed: Sealed, about: string): BenchTable {
  const most = Math.max(...moments.map(({ workers }) => workers))
  const scaled = most === MOST_WORKERS && moments.at(-1)?.workers === 1
  const { documents, rows, objects, lost, doubled, takenTwice } = sealed
  return {
    title: `A burst of ${SEALS} seals, ${TARGET_SECONDS} s of work for each worker, at most ${MOST_WORKERS} and later ${MOST_LATER}; when the number of workers changed\n${about}`,
    columns: ['after, s', 'seals left', 'signal, s', 'workers'],
    rows: moments.map(({ seconds, left, secondsOfWork, workers }) => [seconds.toFixed(0), left, secondsOfWork, String(workers)]),
    goal: {
      text: `1 to ${most} workers and back; ${documents} documents, ${rows} seals, ${objects} objects: ${lost} lost, ${doubled} doubled (${takenTwice} jobs were taken over)`,
      met: scaled && lost === 0 && doubled === 0,
    },
  }
}
