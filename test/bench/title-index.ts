// Search by a part of the title among a million envelopes of one organisation: our index, months and sample against pg_trgm and btree_gin, which leave the
// choice of the way to the planner. How long a page with its total takes, how large the indexes are, and what each costs a new envelope.
import type { CredentialCaller } from '#core/context.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { listEnvelopes } from '#core/envelope/list-envelopes.ts'
import type { CredentialId } from '#core/ids.ts'
import { type Database, inOrganisation, openDatabase } from '#core/platform/postgres/client.ts'
import { benchDatabase } from './bench-database.ts'
import { ALL, filtersOf } from './list-filters.ts'
import type { BenchTable } from './run.ts'
import { timed } from './timed.ts'
import { writeCosts } from './title-writes.ts'
import { addTrigrams, listByTrigrams } from './trigram-list.ts'

const SIZE = { organisations: 1, envelopes: 1_000_000 }
const GOAL_MS = 50
/** Some searches by trigrams take seconds. */
const FEW = { warmUps: 3, fewestRounds: 10 }

export async function run(): Promise<BenchTable[]> {
  await using database = await benchDatabase(SIZE, { durable: false })
  const owner = openDatabase({ url: database.url, pool: 1 })
  const api = openDatabase({ url: database.url, pool: 1, role: 'sealwright_api' })
  try {
    const [credential] = await owner<{ id: CredentialId }[]>`select id from credentials where client_id = ${database.clientId}`
    const caller: CredentialCaller = {
      kind: 'credential',
      orgId: database.orgId,
      credentialId: credential!.id,
      clientId: '',
      origin: { address: null, userAgent: null },
    }
    await addTrigrams(owner)
    const sizes = await sizeRows(owner)
    const rows = []
    for (const [name, filter] of titleFilters()) rows.push(await searchRow(api, caller, name, filter))
    return [searchTable(rows), sizeTable(sizes), await writeCosts(owner, database.orgId)]
  } finally {
    await Promise.all([api, owner].map((pool) => pool.end()))
  }
}

/** The titles of the bench of lists, and more of what trigrams cannot tell: one and two letters, and letters beyond ASCII. */
function titleFilters(): [string, EnvelopeFilter][] {
  const known = [...filtersOf(undefined)].filter(([, { title, labels }]) => title && labels.pairs.length === 0)
  const more: [string, EnvelopeFilter][] = [
    ['title, absent, one letter', { ...ALL, title: '§' }],
    ['title, absent, two letters, and status', { ...ALL, title: 'qx', statuses: ['CANCELLED'] }],
    ['title, rare, and status', { ...ALL, title: '-77719', statuses: ['COMPLETED'] }],
    ['title, beyond ASCII, one in fifteen', { ...ALL, title: 'łódź' }],
    ['title, beyond ASCII, absent', { ...ALL, title: 'договор' }],
  ]
  return [...known, ...more]
}

async function searchRow(api: Database, caller: CredentialCaller, name: string, filter: EnvelopeFilter) {
  const page = { page: 0, size: 20 }
  const { totalElements } = await listEnvelopes({ database: api }, caller, filter, page)
  const counted = await inOrganisation(api, caller.orgId, (sql) => listByTrigrams(sql, caller, filter))
  if (Math.min(counted, 10_000) !== totalElements) throw new Error(`${name}: ${counted} by trigrams, ${totalElements} by ours.`)
  const ours = await timed(api, () => listEnvelopes({ database: api }, caller, filter, page), FEW)
  const trigrams = await timed(api, () => inOrganisation(api, caller.orgId, (sql) => listByTrigrams(sql, caller, filter)), FEW)
  return { name, total: totalElements, ours, trigrams }
}

function searchTable(rows: Awaited<ReturnType<typeof searchRow>>[]): BenchTable {
  const worst = Math.max(...rows.map(({ ours }) => ours.p99))
  return {
    title: `Page 0 of 20 rows with its total, ${SIZE.envelopes} envelopes of one organisation, ms`,
    columns: ['filter', 'total', 'ours p50', 'p99', 'CPU p50', 'CPU p99', 'pg_trgm p50', 'p99', 'CPU p50', 'CPU p99'],
    rows: rows.map(({ name, total, ours, trigrams }) => [
      name,
      String(total),
      ours.p50,
      ours.p99,
      ours.cpu,
      ours.cpuP99,
      trigrams.p50,
      trigrams.p99,
      trigrams.cpu,
      trigrams.cpuP99,
    ]),
    goal: { text: `slowest p99 of ours ${worst.toFixed(1)} ms < ${GOAL_MS} ms`, met: worst < GOAL_MS },
  }
}

function sizeRows(owner: Database) {
  return owner<{ name: string; bytes: number }[]>`
    select name, pg_total_relation_size(name::regclass)::float8 as bytes
    from unnest(array['envelopes_by_title', 'title_months', 'envelopes_by_trigram', 'envelopes']) name`
}

function sizeTable(rows: readonly { name: string; bytes: number }[]): BenchTable {
  return {
    title: 'Sizes, MiB (envelopes: the table with all of its indexes)',
    columns: ['relation', 'MiB'],
    rows: rows.map(({ name, bytes }) => [name, bytes / 2 ** 20]),
  }
}
