// Postgres, NATS and S3 fail, return with less data, or answer wrongly while envelopes are processed; the invariants must hold. Each chain
// of faults has a separate split run. The chains run concurrently.
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from 'nats'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type FaultWorld, PROCESSES, signaturesOf, startFaultWorld } from '../support/faults/fault-world.ts'
import type { HttpFault } from '../support/faults/fault-proxy.ts'
import type { ProcessName, SplitService } from '../support/servers/split-service.ts'

/** Generous for a busy machine. */
const TIMEOUT_MS = 300_000
const IN_TURN = { concurrent: false, timeout: TIMEOUT_MS }
/** Instead of `expect.poll`, which must know its test and cannot distinguish concurrent ones. */
const POLL = { timeout: 60_000 }
const POSTGRES_AWAY_MS = 20_000
/** Longer on demand, NATS_AWAY_SECONDS=600. */
const NATS_AWAY_MS = Number(process.env['NATS_AWAY_SECONDS'] ?? 45) * 1000
/** So many that some are signed during all of it. */
const ENVELOPES_WITHOUT_NATS = 12
/** For work without notifications: a poll every 2 s, a killed worker's lease, its start on a busy machine. */
const FOUND_WITHIN_SECONDS = 30
const S3_AWAY_MS = 8_000
/** Envelopes whose documents are read and written often enough to meet every fault. */
const ENOUGH_REQUESTS = 20

function ownWorld(): () => FaultWorld {
  let world: FaultWorld
  beforeAll(async () => {
    world = await startFaultWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())
  return () => world
}

describe.concurrent('NATS', () => {
  const world = ownWorld()

  const patient = { ...IN_TURN, timeout: TIMEOUT_MS + NATS_AWAY_MS }
  test('is killed and down for long, while signing, seals and emails continue in time and processes start', patient, async () => {
    const { service, sql, survive } = world()
    await survive(
      NATS_AWAY_MS + 5_000,
      async (walk) => {
        await service.nats.kill()
        const before = signaturesOf(walk)
        const [at] = await sql`select now() as now`
        await delay(NATS_AWAY_MS / 3)
        await Promise.all(PROCESSES.map((name) => service.kill(name)))
        await delay((NATS_AWAY_MS * 2) / 3)
        const { sealed, slowestSeal, slowestMail } = await readWaits(sql, at?.['now'])
        console.log(
          `NATS away for ${NATS_AWAY_MS / 1000} s: ${sealed} seals, slowest ${slowestSeal} s, slowest mail ${slowestMail} s`,
        )
        expect([signaturesOf(walk) - before > 5, sealed > 3]).toEqual([true, true])
        expect(Math.max(slowestSeal, slowestMail)).toBeLessThan(FOUND_WITHIN_SECONDS)
        await untilLogged(service, 'relay', 'nats.unavailable')
        await service.nats.start()
      },
      ENVELOPES_WITHOUT_NATS,
    )
  })

  test('loses its streams', IN_TURN, async () => {
    const { service, survive } = world()
    await survive(4_000, async () => {
      const connection = await connect({ servers: service.nats.current.url })
      const manager = await jetstreamManager(connection)
      const names = (await manager.streams.list().next()).map(({ config }) => config.name)
      for (const name of names) await manager.streams.delete(name)
      await connection.close()
      expect(names.toSorted()).toEqual(['sealwright-work'])
    })
  })

  test('no process logged a token, a code or a document', IN_TURN, () => world().assertNothingLeaked())
})

describe.concurrent('Postgres', () => {
  const world = ownWorld()

  test('is killed and down for 20 s, while processes start', IN_TURN, async () => {
    const { service, survive } = world()
    const { failures } = await survive(POSTGRES_AWAY_MS + 4_000, async (walk) => {
      await service.postgres.kill()
      await delay(POSTGRES_AWAY_MS / 4)
      const before = signaturesOf(walk)
      await Promise.all(PROCESSES.map((name) => service.kill(name)))
      await delay((POSTGRES_AWAY_MS * 3) / 4)
      expect(signaturesOf(walk) - before, 'signed without a database').toBe(0)
      for (const name of PROCESSES) await untilLogged(service, name, 'database.not_ready')
      await service.postgres.start()
    })
    expect(failures).toBeGreaterThan(0)
  })

  test('is restarted in order', IN_TURN, async () => {
    const { service, survive } = world()
    await survive(4_000, async () => {
      await service.postgres.current.stop()
      await service.postgres.start()
    })
  })

  test('loses connections during their transactions', IN_TURN, async () => {
    const { sql, survive } = world()
    await survive(6_000, async () => {
      let cut = 0
      for (let rounds = 0; rounds < 1_000 && cut < 10; rounds++) {
        const [row] = await sql`
          select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and usename is not null and state <> 'idle'`
        cut += row?.['count']
        await delay(row?.['count'] > 0 ? 100 : 20)
      }
      expect(cut).toBeGreaterThanOrEqual(10)
    })
  })

  test('no process logged a token, a code or a document', IN_TURN, () => world().assertNothingLeaked())
})

describe.concurrent('S3', () => {
  const world = ownWorld()

  test('answers 500 and 503, late and never, truncates and changes responses and reads half of requests', IN_TURN, async () => {
    const { service, survive } = world()
    const faults: Partial<Record<string, HttpFault[]>> = {
      PUT: twice('broken', 'busy', 'slow', 'lose-answer', 'cut-upload'),
      GET: twice('broken', 'busy', 'slow', 'lose-answer', 'cut-body', 'change-body'),
    }
    const left = () => Object.values(faults).flat().length
    const injectFaults = async () => {
      const counts = new Map<string, number>()
      // Every second request of a method, so that the attempts of one operation meet both cases and there are enough of them.
      service.s3.faults = ({ method = '' }) => {
        const count = (counts.get(method) ?? 0) + 1
        counts.set(method, count)
        return count % 2 === 1 ? faults[method]?.shift() : undefined
      }
      await vi.waitFor(() => expect(left(), 'faults that no request met').toBe(0), POLL)
      service.s3.faults = () => undefined
    }
    await survive(12_000, injectFaults, ENOUGH_REQUESTS)
  })

  test('is down for longer than a worker retries, while processes start', IN_TURN, async () => {
    const { service, survive } = world()
    await survive(S3_AWAY_MS + 3_000, async () => {
      let met = 0
      service.s3.faults = () => (met++, 'broken')
      await delay(S3_AWAY_MS / 2)
      await Promise.all([service.kill('seal'), service.kill('api')])
      await delay(S3_AWAY_MS / 2)
      for (const name of ['seal', 'api'] as const) await untilLogged(service, name, 'storage.unavailable')
      service.s3.faults = () => undefined
      expect(met).toBeGreaterThan(5)
    })
  })

  test('NATS loses its data folder while it runs, and is killed', IN_TURN, async () => {
    const { service, survive } = world()
    await survive(6_000, async () => {
      // It continues to write meanwhile.
      await rm(service.natsDir, { recursive: true, maxRetries: 20 })
      await delay(1_000)
      await service.nats.kill()
      await service.nats.start()
    })
  })

  test('no process logged a token, a code or a document', IN_TURN, () => world().assertNothingLeaked())
})

/** The work since then: how much was sealed, and the longest wait in seconds of a seal and an email, including those still waiting. */
async function readWaits(sql: FaultWorld['sql'], since: Date) {
  const [row] = await sql<{ sealed: number; slowestSeal: number; slowestMail: number }[]>`
    select
      (select count(done_at)::int from seal_jobs where wanted_at > ${since}) as sealed,
      (select max(extract(epoch from coalesce(done_at, now()) - wanted_at))::float8 from seal_jobs where wanted_at > ${since}) as "slowestSeal",
      (select max(extract(epoch from coalesce(done_at, now()) - wanted_at))::float8
       from mails where state in ('WAITING', 'DEAD', 'DONE') and wanted_at > ${since}) as "slowestMail"`
  if (!row) throw new Error('A statement of aggregates has a row.')
  return row
}

async function untilLogged(service: SplitService, name: ProcessName, event: string): Promise<void> {
  await vi.waitFor(async () => expect(await service.log(name)).toContain(`"${event}"`), POLL)
}

function twice(...faults: HttpFault[]): HttpFault[] {
  return [...faults, ...faults]
}
