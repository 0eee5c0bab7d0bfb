// The workload: clients process envelopes in rounds while faults of every kind hit two of every process and their servers. After each round
// the invariants are asserted.
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../support/clients/ask.ts'
import type { Progress } from '../support/clients/crash-walk.ts'
import type { DoubledProcess } from '../support/servers/doubled-service.ts'
import { type SeededRandom, seededRandom } from '../support/builders/seeded-random.ts'
import { assertCopiesStored, assertMailed } from '../support/invariants/outside-the-database.ts'
import { assertInvariants } from '../support/invariants/invariants.ts'
import { walkWithRetries } from '../support/clients/retrying-client.ts'
import type { ChaosWorld } from './chaos-world.ts'
import { FAULTS } from './inject-faults.ts'

export interface WorkloadOptions {
  seed: number
  pdf: Buffer
  /** Rounds start until then; the last one is finished. */
  forMs: number
  /** Per round. */
  envelopes: number
  /** Called for each fault and each round. */
  say: (line: string) => void
}

export interface WorkloadSummary {
  rounds: number
  envelopes: number
  /** Acknowledged to a client. */
  steps: number
  seals: number
  worstSecondsToSeal: number
  /** Number of faults by kind. */
  faults: Record<string, number>
}

const CLIENTS = 6
/** The envelopes of a round start over this time: a fast machine would finish before any fault. */
const START_OVER_MS = 20_000
const FINISH_WITHIN_MS = 400_000
const SETTLED_WITHIN_MS = 120_000
const LONGEST_REST_MS = 3_000
/** Upload, creation, send and two signatures. */
const STEPS_OF_ENVELOPE = 5

/** Throws an error with the broken invariant, the step and the seed. */
export async function runWorkload(world: ChaosWorld, options: WorkloadOptions): Promise<WorkloadSummary> {
  const until = performance.now() + options.forMs
  const summary: WorkloadSummary = { rounds: 0, envelopes: 0, steps: 0, seals: 0, worstSecondsToSeal: 0, faults: {} }
  const roll = seededRandom(options.seed)
  do {
    summary.rounds++
    try {
      const walked = await runRound(world, options, roll, summary)
      summary.envelopes += walked.length
      summary.steps += walked.length * STEPS_OF_ENVELOPE
      const { seals, worstSeconds } = await measureSeals(world, walked)
      summary.seals += seals
      summary.worstSecondsToSeal = Math.max(summary.worstSecondsToSeal, worstSeconds)
      options.say(
        `round ${summary.rounds}: ${walked.length} envelopes intact, the slowest seal took ${worstSeconds.toFixed(1)} s`,
      )
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`Seed ${options.seed}, round ${summary.rounds}: ${reason}`, { cause })
    }
  } while (performance.now() < until)
  return summary
}

async function runRound(
  world: ChaosWorld,
  options: WorkloadOptions,
  roll: SeededRandom,
  summary: WorkloadSummary,
): Promise<Progress[]> {
  const { service, sink, dev } = world
  // The mailbox's contents were checked in their own round.
  sink.received.length = 0
  const walkOptions = { envelopes: options.envelopes, concurrency: CLIENTS, overMs: START_OVER_MS, withinMs: FINISH_WITHIN_MS }
  const over = new AbortController()
  const walking = walkWithRetries(dev, options.pdf, walkOptions).finally(() => over.abort())
  const [walked] = await Promise.all([walking, injectFaults(world, roll, over.signal, options, summary)])
  await assertInvariants(service.split.databaseUrl, walked, SETTLED_WITHIN_MS)
  await assertCopiesStored(service.split.environment)
  await assertMailed(dev, walked)
  for (const process of service.processes) await assertOnlyEnded(process)
  return walked
}

/** A process exits only when it is killed or stopped, whatever happens to its servers. */
async function assertOnlyEnded({ name, endings, log }: DoubledProcess): Promise<void> {
  const own = endings().filter((how) => !['signal SIGKILL', 'signal SIGTERM', 'exit code 0'].includes(how))
  if (own.length === 0) return
  const said = (await log()).split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  throw new Error(`${name} exited on its own: ${own.join(', ')}\n${said.join('\n')}`)
}

/** Injects faults, several kinds at a time, until the clients finish; resolves when all faults are over. */
async function injectFaults(
  world: ChaosWorld,
  roll: SeededRandom,
  over: AbortSignal,
  { say }: WorkloadOptions,
  summary: WorkloadSummary,
): Promise<void> {
  const running = new Map<string, Promise<void>>()
  const names = Object.entries(FAULTS).flatMap(([name, { share }]) => Array.from({ length: share }, () => name))
  while (!over.aborted) {
    await delay(roll(LONGEST_REST_MS), undefined, { signal: over }).catch(() => {})
    const name = names[roll(names.length)] ?? ''
    // A separate random sequence: it must not depend on when other faults end.
    const own = seededRandom(roll(2 ** 31))
    const kind = FAULTS[name]
    if (over.aborted || !kind || running.has(name)) continue
    summary.faults[name] = (summary.faults[name] ?? 0) + 1
    const injecting = kind.inject(world, own).then((what) => say(`  ${name}: ${what}`))
    running.set(
      name,
      injecting.finally(() => running.delete(name)),
    )
  }
  await Promise.all(running.values())
}

async function measureSeals({ service }: ChaosWorld, walked: readonly Progress[]) {
  const ids = walked.map(({ envelopeId }) => envelopeId ?? '')
  const [row] = await ask(
    service.split.databaseUrl,
    (sql) => sql<{ seals: number; worstSeconds: number }[]>`
    select count(*)::int as seals, extract(epoch from max(done_at - wanted_at))::float8 as "worstSeconds"
    from seal_jobs
    where envelope_id = any(${ids}::uuid[])`,
  )
  return row ?? { seals: 0, worstSeconds: 0 }
}
