// A round: users of both sides and faults for some time, then the bounded wait until both stores are equal, then a time in which nothing may be written.
import { setTimeout as delay } from 'node:timers/promises'
import { type SeededRandom, seededRandom } from '../support/builders/seeded-random.ts'
import { differences } from './compare-stores.ts'
import { FAULTS } from './inject-faults.ts'
import { isRefusal, type Journal } from './journal.ts'
import { KUBECTL_OPERATIONS } from './kubectl-operations.ts'
import { type Operation, Skipped } from './operation.ts'
import { PANEL_OPERATIONS } from './panel-operations.ts'
import { readStores, type Stores } from './read-stores.ts'
import { SWEEP_SECONDS, type SoakWorld } from './soak-world.ts'

export interface RoundOptions {
  roll: SeededRandom
  forMs: number
  /** Called for each fault. */
  say: (line: string) => void
}

export interface RoundSummary {
  rows: number
  orphans: number
  secondsToConverge: number
}

const OPERATIONS: Readonly<Record<string, Operation>> = { ...PANEL_OPERATIONS, ...KUBECTL_OPERATIONS }
const USERS = 4
const LONGEST_REST_MS = 600
const LONGEST_REST_OF_FAULTS_MS = 4_000
/** Fewer are created, more are deleted. */
const FEWEST = 12
const MOST = 30
const CONVERGE_WITHIN_MS = 180_000
const POLL_MS = 1_000

/** Throws an error with every difference that is left. */
export async function runRound(world: SoakWorld, journal: Journal, { roll, forMs, say }: RoundOptions): Promise<RoundSummary> {
  const over = AbortSignal.timeout(forMs)
  const users = Array.from({ length: USERS }, () => act(world, journal, seededRandom(roll(2 ** 31)), over))
  await Promise.all([...users, injectFaults(world, seededRandom(roll(2 ** 31)), over, say)])
  for (const { proxy } of world.controllers) proxy.fault = () => undefined
  const startedAt = performance.now()
  const stores = await converge(world, journal)
  const secondsToConverge = (performance.now() - startedAt) / 1_000
  await assertQuiet(world)
  return { rows: stores.rows.length, orphans: stores.rows.filter(({ orphanedAt }) => orphanedAt).length, secondsToConverge }
}

async function act(world: SoakWorld, journal: Journal, roll: SeededRandom, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await delay(roll(LONGEST_REST_MS), undefined, { signal: over }).catch(() => {})
    if (over.aborted) return
    const name = chooseOperation(journal, roll)
    try {
      await OPERATIONS[name]?.run({ world, journal, roll })
      journal.count(name, 'done')
    } catch (error) {
      if (error instanceof Skipped) continue
      journal.count(name, isRefusal(error) ? 'refused' : 'unsure')
    }
  }
}

function chooseOperation(journal: Journal, roll: SeededRandom): string {
  const present = journal.present().length
  const fits = (name: string) => (present >= FEWEST || name.endsWith('create')) && (present <= MOST || !name.endsWith('create'))
  const names = Object.entries(OPERATIONS).flatMap(([name, { share }]) =>
    fits(name) ? Array.from({ length: share }, () => name) : [],
  )
  return names[roll(names.length)] ?? ''
}

/** Injects faults, several kinds at a time, until the time is over; resolves when all faults are over. */
async function injectFaults(world: SoakWorld, roll: SeededRandom, over: AbortSignal, say: RoundOptions['say']): Promise<void> {
  const running = new Map<string, Promise<void>>()
  const names = Object.entries(FAULTS).flatMap(([name, { share }]) => Array.from({ length: share }, () => name))
  while (!over.aborted) {
    await delay(roll(LONGEST_REST_OF_FAULTS_MS), undefined, { signal: over }).catch(() => {})
    const name = names[roll(names.length)] ?? ''
    // A separate random sequence: it must not depend on when other faults end.
    const own = seededRandom(roll(2 ** 31))
    const kind = FAULTS[name]
    if (over.aborted || !kind || running.has(name)) continue
    const injecting = kind.inject(world, own).then((what) => say(`  ${name}: ${what}`))
    running.set(
      name,
      injecting.finally(() => running.delete(name)),
    )
  }
  await Promise.all(running.values())
}

async function converge(world: SoakWorld, journal: Journal): Promise<Stores> {
  for (const until = performance.now() + CONVERGE_WITHIN_MS; ; await delay(POLL_MS)) {
    const stores = await readStores(world)
    const found = differences(stores, journal)
    if (found.length === 0) return stores
    if (performance.now() > until) throw new Error(`The stores are not equal:\n${found.join('\n')}`)
    await acceptLoss(world, stores)
  }
}

/** As the operator, who knows that the objects were removed on purpose. */
async function acceptLoss({ kube, namespace }: SoakWorld, { statusMap }: Stores): Promise<void> {
  const since = /accept-loss=([^\s"]+)/.exec(statusMap['problems'] ?? '')?.[1]
  if (since === undefined) return
  const path = `/api/v1/namespaces/${namespace}/configmaps/sealwright-status`
  const body = { metadata: { annotations: { 'sealwright.io/accept-loss': since } } }
  await kube.requests.request({ method: 'PATCH', path, contentType: 'application/merge-patch+json', body })
}

/** During two sweeps. Events are about the past, and the Lease is renewed. */
async function assertQuiet({ controllers }: SoakWorld): Promise<void> {
  for (const { proxy } of controllers) proxy.seen.length = 0
  await delay(2 * SWEEP_SECONDS * 1_000 + POLL_MS)
  const writes = controllers.flatMap(({ proxy }) =>
    proxy.seen
      .filter(({ method, path }) => method !== 'GET' && !/\/leases\/|\/events/.test(path))
      .map(({ method, path }) => `${method} ${path}`),
  )
  if (writes.length > 0) throw new Error(`Written although both stores were equal:\n${writes.join('\n')}`)
}
