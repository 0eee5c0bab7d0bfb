// The CPU cost of a read per request, against a bare Express and driver with the same statements. Both are separate processes, measured
// alternately, so that other load affects both.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { openDatabase } from '#core/platform/postgres/client.ts'
import type { CredentialId } from '#core/ids.ts'
import { accessToken } from '../support/clients/api-client.ts'
import { type BenchDatabase, benchDatabase } from './bench-database.ts'
import type { ServerOptions } from './read-server.ts'
import type { BenchTable } from './run.ts'

const ROUNDS = 9
const IN_FLIGHT = 8
const FILTER = '?status=COMPLETED&labels=department%3Dsales&title=agree'
const KINDS = [
  { name: 'getEnvelope', requests: 1_500, goal: 1.5 },
  { name: 'listEnvelopes, 20 rows, three filters', requests: 300, goal: 2 },
]

export async function run(): Promise<BenchTable[]> {
  await using database = await benchDatabase({ organisations: 2, envelopes: 3_000 }, { durable: false })
  await using baseline = await startServer('baseline', database)
  await using application = await startServer('application', database)
  const token = await accessToken(application.url, database)
  const pathOf = [(index: number) => `/api/v1/envelopes/${database.envelopeIds[index % 500]}`, () => `/api/v1/envelopes${FILTER}`]
  const tables: BenchTable[] = []
  for (const [kind, { name, requests, goal }] of KINDS.entries()) {
    const measured: { bare: number; ours: number }[] = []
    for (let round = -2; round < ROUNDS; round++) {
      const bare = await cpuPerRequest(baseline, pathOf[kind]!, requests, token)
      const ours = await cpuPerRequest(application, pathOf[kind]!, requests, token)
      if (round >= 0) measured.push({ bare, ours })
    }
    tables.push(table(name, goal, measured))
  }
  return tables
}

interface Server extends AsyncDisposable {
  url: string
  child: ChildProcess
}

async function startServer(kind: ServerOptions['kind'], { url: databaseUrl, orgId, clientId }: BenchDatabase): Promise<Server> {
  const owner = openDatabase({ url: databaseUrl, pool: 1 })
  const [row] = await owner<{ id: CredentialId }[]>`select id from credentials where client_id = ${clientId}`
  await owner.end()
  const filter = {
    statuses: ['COMPLETED'] as const,
    labels: { pairs: [['department', 'sales']] as const, keys: [] },
    title: 'agree',
  }
  const options: ServerOptions = { kind, databaseUrl, orgId, credentialId: row!.id, filter }
  const child = fork(new URL('read-server.ts', import.meta.url))
  child.send(options)
  const [started] = await once(child, 'message')
  const { url }: { url: string } = started
  return {
    url,
    child,
    [Symbol.asyncDispose]: async () => {
      child.send('stop')
      await once(child, 'exit')
    },
  }
}

/** Microseconds of user and system time. */
async function cpuPerRequest(
  server: Server,
  pathOf: (index: number) => string,
  requests: number,
  token: string,
): Promise<number> {
  const before = await usage(server.child)
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  let index = 0
  const work = async () => {
    while (index < requests) await get(server.url + pathOf(index++), agent, token)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  agent.destroy()
  return ((await usage(server.child)) - before) / requests
}

async function usage(child: ChildProcess): Promise<number> {
  child.send('usage')
  const [used] = await once(child, 'message')
  const { user, system }: NodeJS.CpuUsage = used
  return user + system
}

function get(url: string, agent: Agent, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent, headers: { Authorization: `Bearer ${token}` } }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${url} answered ${response.statusCode}.`))
      })
    })
      .once('error', reject)
      .end()
  })
}

function table(name: string, goal: number, rounds: { bare: number; ours: number }[]): BenchTable {
  const ratio = median(rounds.map(({ bare, ours }) => ours / bare))
  return {
    title: `${name}: processor time of a request, microseconds (baseline: Express and the driver, the same statements)`,
    columns: ['round', 'baseline', 'application', 'ratio'],
    rows: rounds.map(({ bare, ours }, index) => [String(index + 1), bare, ours, ours / bare]),
    goal: { text: `median ratio ${ratio.toFixed(2)} <= ${goal}`, met: ratio <= goal },
  }
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0
}
