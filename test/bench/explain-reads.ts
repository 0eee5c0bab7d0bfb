// The plans of the reads, as Postgres executed them for the API's role.
import type { CredentialCaller } from '#core/context.ts'
import type { EnvelopeFilter } from '#core/envelope/envelope-filter.ts'
import { searchEnvelopes, selectPage, selectStatusCounts, selectTotal } from '#core/envelope/search.ts'
import { choosePlans } from '#core/envelope/title-search.ts'
import { type Database, inOrganisation, type Sql } from '#core/platform/postgres/client.ts'
import { genericPlan } from '../support/judges/generic-plan.ts'

type Statement = (sql: Sql) => ReturnType<typeof selectPage | typeof selectTotal | typeof selectStatusCounts>

/** Executed generic plans of page and total for each filter, and of the statistics. */
export async function explainReads(
  api: Database,
  caller: CredentialCaller,
  filters: ReadonlyMap<string, EnvelopeFilter>,
): Promise<string> {
  const statements = new Map<string, Statement>()
  for (const [name, filter] of filters) {
    const { plans, newest } = await inOrganisation(api, caller.orgId, async (sql) => {
      const found = await choosePlans(sql, caller, filter, 20)
      const { envelopes } = await searchEnvelopes(sql, caller, filter, { offset: 0, limit: 20, plan: found.page })
      // Like listEnvelopes: without a title the total does not wait for the page.
      return { plans: found, newest: filter.title ? envelopes[0]?.createdAt : undefined }
    })
    statements.set(`${name}: page by ${plans.page}`, (sql) =>
      selectPage(sql, caller, filter, { offset: 0, limit: 20, plan: plans.page }),
    )
    statements.set(`${name}: total by ${plans.total}`, (sql) =>
      selectTotal(sql, caller, filter, { most: 10_001, plan: plans.total, newest }),
    )
  }
  statements.set('statistics', (sql) => selectStatusCounts(sql, caller, {}))
  const texts: string[] = []
  for (const [name, statement] of statements) texts.push(`== ${name}\n${await genericPlan(api, caller.orgId, statement)}\n`)
  return texts.join('\n')
}
