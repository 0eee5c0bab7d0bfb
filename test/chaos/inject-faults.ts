// The faults of an installation, one kind per line. A fault is over, and everything restored, when its promise resolves.
import { setTimeout as delay } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from 'nats'
import postgres from 'postgres'
import { anyOf, type SeededRandom } from '../support/builders/seeded-random.ts'
import type { DoubledProcess } from '../support/servers/doubled-service.ts'
import type { HttpFault } from '../support/faults/fault-proxy.ts'
import type { ChaosWorld } from './chaos-world.ts'

/** Injects a fault and returns its description. */
export type InjectFault = (world: ChaosWorld, roll: SeededRandom) => Promise<string>

/** `share` is a kind's weight. Only one fault of a kind runs at a time. */
export const FAULTS: Readonly<Record<string, { share: number; inject: InjectFault }>> = {
  'SIGKILL of one process': { share: 8, inject: ({ service }, roll) => signal([anyOf(service.processes, roll)], 'SIGKILL') },
  'SIGKILL of several processes': { share: 2, inject: killSeveral },
  SIGTERM: { share: 3, inject: ({ service }, roll) => signal([anyOf(service.processes, roll)], 'SIGTERM') },
  pause: { share: 3, inject: pause },
  'NATS killed': { share: 1, inject: killNats },
  'streams deleted': { share: 1, inject: deleteStreams },
  'Postgres killed': { share: 1, inject: killPostgres },
  'connections to Postgres cut': { share: 1, inject: cutConnections },
  'S3 faults': { share: 2, inject: injectS3Faults },
  'emails deferred': { share: 1, inject: deferEmails },
}

/** Longer than a lease of ten seconds, so that two workers may have the same job. */
const LONGEST_PAUSE_MS = 14_000

async function killSeveral({ service: { processes } }: ChaosWorld, roll: SeededRandom): Promise<string> {
  const chosen = processes.filter(() => roll(2) === 0)
  return signal(chosen, 'SIGKILL')
}

async function pause({ service }: ChaosWorld, roll: SeededRandom): Promise<string> {
  const chosen = anyOf(service.processes, roll)
  const ms = 200 + roll(LONGEST_PAUSE_MS)
  const stopped = await signal([chosen], 'SIGSTOP')
  await delay(ms)
  // If it was killed meanwhile, the signal does not harm its successor.
  return `${stopped}, SIGCONT after ${ms} ms: ${await signal([chosen], 'SIGCONT')}`
}

async function killNats({ service: { split } }: ChaosWorld, roll: SeededRandom): Promise<string> {
  const ms = roll(6_000)
  await split.nats.kill()
  await delay(ms)
  await split.nats.start()
  return `down for ${ms} ms`
}

async function deleteStreams({ service: { split } }: ChaosWorld): Promise<string> {
  const connection = await connect({ servers: split.nats.current.url, timeout: 2_000 }).catch(() => undefined)
  if (!connection) return 'NATS was down'
  try {
    const manager = await jetstreamManager(connection)
    const names = []
    for await (const { config } of manager.streams.list()) names.push(config.name)
    for (const name of names) await manager.streams.delete(name)
    return names.join(', ')
  } catch (error) {
    return `NATS was ending: ${String(error)}`
  } finally {
    await connection.close()
  }
}

async function killPostgres({ service: { split } }: ChaosWorld, roll: SeededRandom): Promise<string> {
  const ms = roll(4_000)
  await split.postgres.kill()
  await delay(ms)
  await split.postgres.start()
  return `down for ${ms} ms`
}

async function cutConnections({ service: { split } }: ChaosWorld): Promise<string> {
  const admin = postgres(split.databaseUrl, { max: 1, connect_timeout: 2, onnotice: () => {} })
  try {
    const cut =
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
    return `${cut.length} of them`
  } catch (error) {
    return `Postgres was down: ${String(error)}`
  } finally {
    await admin.end({ timeout: 1 })
  }
}

/** None that changes bytes: with a store that does, a process correctly refuses to start. */
const S3_FAULTS = ['broken', 'busy', 'slow', 'conflict', 'lose-answer', 'cut-body'] as const satisfies HttpFault[]

async function injectS3Faults({ service: { split } }: ChaosWorld, roll: SeededRandom): Promise<string> {
  const fault = anyOf(S3_FAULTS, roll)
  const [ms, every] = [500 + roll(4_500), 1 + roll(3)]
  let count = 0
  split.s3.faults = () => (count++ % every === 0 ? fault : undefined)
  await delay(ms)
  split.s3.faults = () => undefined
  return `${fault} for one request of ${every}, ${ms} ms long`
}

async function deferEmails({ mailServer }: ChaosWorld, roll: SeededRandom): Promise<string> {
  const ms = roll(4_000)
  mailServer.deferring = true
  await delay(ms)
  mailServer.deferring = false
  return `for ${ms} ms`
}

async function signal(processes: readonly DoubledProcess[], name: NodeJS.Signals): Promise<string> {
  const signalled = await Promise.all(processes.map((each) => signalOne(each, name)))
  return signalled.join(', ') || 'no process'
}

async function signalOne({ name, pid }: DoubledProcess, signalName: NodeJS.Signals): Promise<string> {
  const number = await pid()
  try {
    if (number !== undefined) process.kill(number, signalName)
    return name
  } catch {
    return `${name} (already ended)`
  }
}
