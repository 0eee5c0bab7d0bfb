// The faults of a soak, one kind per line. A fault is over, and everything restored, when its promise resolves.
import { setTimeout as delay } from 'node:timers/promises'
import { anyOf, type SeededRandom } from '../support/builders/seeded-random.ts'
import { ask } from '../support/clients/ask.ts'
import { lastElected, type SoakController, type SoakProcess } from './soak-processes.ts'
import { LEASE_SECONDS, type SoakWorld } from './soak-world.ts'

/** Injects a fault and returns its description. */
type InjectFault = (world: SoakWorld, roll: SeededRandom) => Promise<string>

/** `share` is a kind's weight. Only one fault of a kind runs at a time. */
export const FAULTS: Readonly<Record<string, { share: number; inject: InjectFault }>> = {
  'SIGKILL of a controller': { share: 4, inject: async ({ controllers }, roll) => signal(anyOf(controllers, roll), 'SIGKILL') },
  'SIGTERM of a controller': { share: 3, inject: async ({ controllers }, roll) => signal(anyOf(controllers, roll), 'SIGTERM') },
  'SIGKILL of the deliverer': { share: 1, inject: async ({ deliverer }) => signal(deliverer, 'SIGKILL') },
  'the leader is paused': { share: 4, inject: pauseLeader },
  'Postgres is killed': { share: 2, inject: killPostgres },
  'connections to Postgres are cut': { share: 2, inject: cutConnections },
  'the API server is killed': { share: 2, inject: killApiServer },
  'the API server answers errors': { share: 4, inject: answerErrors },
  'the API server is slow': { share: 3, inject: delayRequests },
  'the API server is silent': { share: 2, inject: silence },
  'watches break': { share: 6, inject: breakWatches },
}

/** Longer than the Lease, so that the other controller leads when it goes on. */
const LONGEST_PAUSE_MS = LEASE_SECONDS * 3_000
const LONGEST_OUTAGE_MS = 6_000
const ERRORS = [409, 429, 500, 503, 504]

async function pauseLeader(world: SoakWorld, roll: SeededRandom): Promise<string> {
  const leader = await lastElected(world.controllers)
  const pid = leader?.pid()
  const ms = 500 + roll(LONGEST_PAUSE_MS)
  if (!leader || pid === undefined) return 'it had ended'
  process.kill(pid, 'SIGSTOP')
  await delay(ms)
  // It may have been killed meanwhile.
  if (leader.pid() === pid) process.kill(pid, 'SIGCONT')
  return `${leader.name} for ${ms} ms`
}

async function killPostgres({ postgres }: SoakWorld, roll: SeededRandom): Promise<string> {
  const ms = roll(LONGEST_OUTAGE_MS)
  await postgres.kill()
  await delay(ms)
  await postgres.start()
  return `down for ${ms} ms`
}

async function cutConnections({ databaseUrl }: SoakWorld): Promise<string> {
  try {
    const cut = await ask(
      databaseUrl,
      (sql) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return `${cut.length} of them`
  } catch (error) {
    return `Postgres was down: ${String(error)}`
  }
}

async function killApiServer({ plane }: SoakWorld, roll: SeededRandom): Promise<string> {
  const ms = roll(LONGEST_OUTAGE_MS)
  await plane.kill()
  await delay(ms)
  await plane.restart()
  return `down for ${ms} ms`
}

async function answerErrors({ controllers }: SoakWorld, roll: SeededRandom): Promise<string> {
  const status = anyOf(ERRORS, roll)
  const every = 1 + roll(3)
  let count = 0
  return withFault(anyOf(controllers, roll), roll, `${status} for one request of ${every}`, () =>
    count++ % every === 0 ? { kind: 'status', status, ...(status === 429 && { retryAfterSeconds: 1 }) } : undefined,
  )
}

function delayRequests({ controllers }: SoakWorld, roll: SeededRandom): Promise<string> {
  const ms = 200 + roll(2_000)
  return withFault(anyOf(controllers, roll), roll, `${ms} ms for each write`, ({ method, path }) =>
    method === 'GET' || path.includes('/leases/') ? undefined : { kind: 'delay', ms },
  )
}

function silence({ controllers }: SoakWorld, roll: SeededRandom): Promise<string> {
  return withFault(anyOf(controllers, roll), roll, 'no answers', () => ({ kind: 'silence' }))
}

async function withFault(
  controller: SoakController,
  roll: SeededRandom,
  what: string,
  fault: SoakController['proxy']['fault'],
): Promise<string> {
  const { name, proxy } = controller
  const ms = 1_000 + roll(LONGEST_OUTAGE_MS * 2)
  proxy.fault = fault
  await delay(ms)
  // Another fault may have taken its place, and ends by itself.
  if (proxy.fault === fault) proxy.fault = () => undefined
  return `${name}: ${what}, ${ms} ms long`
}

async function breakWatches({ controllers }: SoakWorld, roll: SeededRandom): Promise<string> {
  const { name, proxy } = anyOf(controllers, roll)
  const ways: [string, () => void][] = [
    ['closed', () => proxy.closeWatches()],
    ['cut', () => proxy.resetWatches()],
    ['silent', () => proxy.muteWatches()],
    ['half a line', () => (proxy.inject('{"type":"ADDED","obj'), proxy.closeWatches())],
    [
      'expired',
      () => proxy.inject('{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"injected"}}\n'),
    ],
  ]
  const [what, run] = anyOf(ways, roll)
  run()
  return `${name}: ${what}`
}

async function signal({ name, pid }: SoakProcess, signalName: NodeJS.Signals): Promise<string> {
  const number = pid()
  if (number === undefined) return `${name} had ended`
  process.kill(number, signalName)
  return name
}
