// Lists, counts and single reads among a million envelopes, as the API's role sees them behind row-level security: how long each takes in the largest
// organisation. Which indexes they use is checked by the tests of plans in test/store.
import { cpus, loadavg, totalmem } from 'node:os'
import type { CredentialCaller } from '#core/context.ts'
import { countEnvelopes } from '#core/envelope/count-envelopes.ts'
import { getEnvelope } from '#core/envelope/get-envelope.ts'
import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { type CredentialId, EnvelopeId, type WorkspaceId } from '#core/ids.ts'
import { type Database, openDatabase } from '#core/platform/postgres/client.ts'
import { benchDatabase } from './bench-database.ts'
import { filtersOf } from './list-filters.ts'
import type { BenchTable } from './run.ts'
import { timed, type Timing } from './timed.ts'

const SIZE = { organisations: 50, envelopes: 1_000_000 }
const GOALS_MS = { list: 50, stats: 100, get: 10 }

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
    const where = `${facts!.envelopes} of ${SIZE.envelopes} envelopes, made in ${fillSeconds.toFixed(0)} s; Postgres ${facts!.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, load average ${(loadavg()[0] ?? 0).toFixed(1)}`
    return [listTable(where, rows), otherTable({ stats, get })]
  } finally {
    await api.end()
  }
}

async function listRow(api: Database, caller: CredentialCaller, name: string, filter: EnvelopeFilter) {
  const list = () => listEnvelopes({ database: api }, caller, filter, { page: 0, size: 20 })
  const { totalElements, totalCapped } = await list()
  return { name, total: `${totalElements}${totalCapped ? '+' : ''}`, ...(await timed(api, list)) }
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
