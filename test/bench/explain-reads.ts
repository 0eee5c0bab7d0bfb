// The plans of the reads, as Postgres carried them out for the API's role.
import type { CredentialCaller } from '#core/context.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { selectPage, selectStatusCounts, selectTotal } from '#core/envelope/search.ts'
import { chooseWays } from '#core/envelope/title-search.ts'
import { type Database, inOrganisation, type Sql } from '#core/postgres/client.ts'

type Statement = (sql: Sql) => ReturnType<typeof selectPage | typeof selectTotal | typeof selectStatusCounts>

/** `explain (analyze, buffers)` of page and total of each filter, and of the statistics. */
export async function explainReads(
  api: Database,
  caller: CredentialCaller,
  filters: ReadonlyMap<string, EnvelopeFilter>,
): Promise<string> {
  const statements = new Map<string, Statement>()
  for (const [name, filter] of filters) {
    const ways = await inOrganisation(api, caller.orgId, (sql) => chooseWays(sql, caller, filter, 20))
    statements.set(`${name}: page by ${ways.page}`, (sql) =>
      selectPage(sql, caller, filter, { offset: 0, limit: 20, way: ways.page }),
    )
    statements.set(`${name}: total by ${ways.total}`, (sql) =>
      selectTotal(sql, caller, filter, { most: 10_001, way: ways.total }),
    )
  }
  statements.set('statistics', (sql) => selectStatusCounts(sql, caller, {}))
  const texts: string[] = []
  for (const [name, statement] of statements) texts.push(`== ${name}\n${await explain(api, caller, statement)}\n`)
  return texts.join('\n')
}

async function explain(api: Database, { orgId }: CredentialCaller, statement: Statement): Promise<string> {
  const lines = await inOrganisation(
    api,
    orgId,
    (sql) => sql<Record<string, string>[]>`explain (analyze, buffers) ${statement(sql)}`,
  )
  return lines.flatMap((line) => Object.values(line)).join('\n')
}
