// Lists, counts and single reads among a million envelopes, as the API's role sees them behind row-level security: how long each takes in
// the largest organisation, and by which indexes. The plans are committed beside this file, so that reviews show their changes.
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import type { CredentialCaller } from '#core/context.ts'
import { countEnvelopes } from '#core/envelope/count-envelopes.ts'
import { getEnvelope } from '#core/envelope/get-envelope.ts'
import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { type CredentialId, EnvelopeId, type WorkspaceId } from '#core/ids.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { benchDatabase } from './bench-database.ts'
import { explainReads } from './explain-reads.ts'
import type { BenchTable } from './run.ts'

const SIZE = { organisations: 50, envelopes: 1_000_000 }
const ROUNDS = 200
/** A round of this total duration is long enough to measure. */
const LONGEST_MS = 6_000
const GOALS_MS = { list: 50, stats: 100, get: 10 }
const PLANS = new URL('lists.plans.txt', import.meta.url)

const ALL: EnvelopeFilter = { statuses: [], labels: { pairs: [], keys: [] } }
const DAY_MS = 86_400_000

export async function run(): Promise<BenchTable[]> {
  const startedAt = performance.now()
  await using database = await benchDatabase(SIZE, { durable: false })
  const fillSeconds = (performance.now() - startedAt) / 1_000
  const owner = openDatabase({ url: database.url, pool: 1 })
  const { orgId } = database
  const [facts] = await owner<{ credentialId: CredentialId; workspaceId: WorkspaceId; envelopes: number; version: string }[]>`
    select c.id as credential_id, w.id as workspace_id, current_setting('server_version') as version,
      (select count(*)::int from envelopes where org_id = ${orgId}) as envelopes
    from credentials c join workspaces w on w.org_id = c.org_id and w.name = 'Board'
    where c.client_id = ${database.clientId}`
  await owner.end()
  const api = openDatabase({ url: database.url, pool: 1, role: 'sealwright_api' })
  const origin = { address: null, userAgent: null }
  const caller: CredentialCaller = { kind: 'credential', orgId, credentialId: facts!.credentialId, clientId: '', origin }
  try {
    const filters = filtersOf(facts!.workspaceId)
    const rows = []
    for (const [name, filter] of filters) rows.push(await listRow(api, caller, name, filter))
    const stats = await timed(api, () => countEnvelopes({ database: api }, caller, undefined))
    const get = await timed(api, (round) =>
      getEnvelope({ database: api }, caller, EnvelopeId.parse(database.envelopeIds[round % database.envelopeIds.length])),
    )
    await writeFile(PLANS, await explainReads(api, caller, filters))
    const where = `${facts!.envelopes} of ${SIZE.envelopes} envelopes, made in ${fillSeconds.toFixed(0)} s; Postgres ${facts!.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, load average ${(loadavg()[0] ?? 0).toFixed(1)}`
    return [listTable(where, rows), otherTable({ stats, get })]
  } finally {
    await api.end()
  }
}

function filtersOf(workspaceId: WorkspaceId): Map<string, EnvelopeFilter> {
  const now = Date.now()
  const yearsAgo = (years: number) => new Date(now).getUTCFullYear() - years
  const labelled = (pairs: Record<string, string>, keys: string[]) => ({ ...ALL, labels: { pairs: Object.entries(pairs), keys } })
  return new Map<string, EnvelopeFilter>([
    ['none (baseline)', ALL],
    ['status, frequent', { ...ALL, statuses: ['COMPLETED'] }],
    ['status, seldom', { ...ALL, statuses: ['CANCELLED'] }],
    ['status, with expired', { ...ALL, statuses: ['EXPIRED'] }],
    ['label pair, frequent', labelled({ department: 'sales' }, [])],
    ['label pair, seldom', labelled({ cost_center: 'cc-7' }, [])],
    ['label pair, absent', labelled({ department: 'none' }, [])],
    ['label pair and status', { ...labelled({ department: 'sales' }, []), statuses: ['COMPLETED'] }],
    ['label pair and seldom status', { ...labelled({ department: 'sales' }, []), statuses: ['CANCELLED'] }],
    ['bare label, on every one', labelled({}, ['department'])],
    ['bare label, seldom', labelled({}, ['urgent'])],
    ['title, frequent', { ...ALL, title: 'Agreement' }],
    ['title, one in fifteen', { ...ALL, title: 'kestrel' }],
    ['title, one in ninety', { ...ALL, title: '-88' }],
    ['title, rare', { ...ALL, title: '-77719' }],
    ['title, absent', { ...ALL, title: 'zeppelin' }],
    ['title, absent, two letters', { ...ALL, title: 'qx' }],
    ['title, one letter', { ...ALL, title: 'z' }],
    ['title, seldom, none new', { ...ALL, title: ` ${yearsAgo(2)}-` }],
    ['title, frequent, none new', { ...ALL, title: ` ${yearsAgo(1)}-` }],
    ['title and status', { ...ALL, title: 'kestrel', statuses: ['COMPLETED'] }],
    ['title, frequent, and seldom status', { ...ALL, title: 'Agreement', statuses: ['CANCELLED'] }],
    ['title and label', { ...labelled({ department: 'sales' }, []), title: 'kestrel' }],
    ['title, rare, and label', { ...labelled({ department: 'sales' }, []), title: '-77719' }],
    ['one month', { ...ALL, from: new Date(now - 60 * DAY_MS), to: new Date(now - 30 * DAY_MS) }],
    ['one workspace', { ...ALL, workspaceId }],
  ])
}

interface Timing {
  p50: number
  p99: number
  /** The server's CPU time of the median call: the elapsed time on an idle machine. */
  cpu: number
  rounds: number
}

async function listRow(api: Database, caller: CredentialCaller, name: string, filter: EnvelopeFilter) {
  const list = () => listEnvelopes({ database: api }, caller, filter, { page: 0, size: 20 })
  const { totalElements, totalCapped } = await list()
  return { name, total: `${totalElements}${totalCapped ? '+' : ''}`, ...(await timed(api, list)) }
}

async function timed(api: Database, work: (round: number) => Promise<unknown>): Promise<Timing> {
  const times: number[] = []
  const cpuTimes: number[] = []
  for (let warmUp = 0; warmUp < 10; warmUp++) await work(warmUp)
  // Single reads have a separate connection, which the first of them opens.
  const backends = await api<{ pid: number }[]>`select pid from pg_stat_activity where datname = current_database()`
  const begin = performance.now()
  while (times.length < ROUNDS && (times.length < 20 || performance.now() - begin < LONGEST_MS)) {
    const cpuBefore = await cpuMs(backends)
    const startedAt = performance.now()
    await work(times.length)
    times.push(performance.now() - startedAt)
    cpuTimes.push((await cpuMs(backends)) - cpuBefore)
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), cpu: quantile(cpuTimes, 0.5), rounds: times.length }
}

function quantile(values: number[], part: number): number {
  return values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0
}

/** The CPU time of our connections' server processes so far; Linux only. */
async function cpuMs(backends: readonly { pid: number }[]): Promise<number> {
  const used = backends.map(async ({ pid }) => Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]))
  return (await Promise.all(used)).reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6
}

function listTable(where: string, rows: ({ name: string; total: string } & Timing)[]): BenchTable {
  const [baseline] = rows
  const worst = Math.max(...rows.map(({ p99 }) => p99))
  return {
    title: `listEnvelopes, page 0, 20 rows with signers and labels, total counted to 10,001, ms\n(${where})`,
    columns: ['filter', 'total', 'p50', 'p99', 'server CPU', 'CPU / baseline', 'rounds'],
    rows: rows.map(({ name, total, p50, p99, cpu, rounds }) => [
      name,
      total,
      p50,
      p99,
      cpu,
      cpu / (baseline?.cpu ?? 1),
      String(rounds),
    ]),
    goal: { text: `slowest p99 ${worst.toFixed(1)} ms < ${GOALS_MS.list} ms`, met: worst < GOALS_MS.list },
  }
}

function otherTable({ stats, get }: { stats: Timing; get: Timing }): BenchTable {
  return {
    title: 'The same organisation, ms',
    columns: ['read', 'p50', 'p99', 'server CPU', 'rounds'],
    rows: [
      ['getEnvelopeStats', stats.p50, stats.p99, stats.cpu, String(stats.rounds)],
      ['getEnvelope', get.p50, get.p99, get.cpu, String(get.rounds)],
    ],
    goal: {
      text: `p99 of stats ${stats.p99.toFixed(1)} ms < ${GOALS_MS.stats} ms, of getEnvelope ${get.p99.toFixed(1)} ms < ${GOALS_MS.get} ms`,
      met: stats.p99 < GOALS_MS.stats && get.p99 < GOALS_MS.get,
    },
  }
}
