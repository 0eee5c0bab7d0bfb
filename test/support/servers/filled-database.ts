// A database as after long operation, to check the plans of the workers' and the controller's statements.
import type { OrgId } from '#core/ids.ts'
import { type Database, openDatabase, type Sql } from '#core/platform/postgres/client.ts'
import { type FillOptions, fillDatabase } from '../../bench/fill-database.ts'
import { genericPlan } from '../judges/generic-plan.ts'
import { testDatabase } from './test-database.ts'

export interface FilledDatabase extends AsyncDisposable {
  /** `explain (analyze, buffers)` of the generic plan of a statement of the system role. */
  planOf: (statement: (sql: Sql) => PromiseLike<unknown>) => Promise<string>
}

/** Filled as for the benchmarks, then by `add` as its owner, without foreign keys and triggers; `add` analyzes what it changes. */
export async function filledDatabase(options: FillOptions, add: (owner: Database) => Promise<void>): Promise<FilledDatabase> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDatabase())
  const owner = openDatabase({ url: database.url, pool: 1 })
  await fillDatabase(owner, options)
  await owner`set session_replication_role = replica`
  await add(owner)
  const [largest] = await owner<{ orgId: OrgId }[]>`select org_id from envelopes group by org_id order by count(*) desc limit 1`
  await owner.end()
  if (!largest) throw new Error('The database was filled with nothing.')
  const system = openDatabase({ url: database.url, pool: 1, role: 'sealwright_system' })
  stack.defer(() => system.end())
  const kept = stack.move()
  return {
    planOf: (statement) => genericPlan(system, largest.orgId, statement),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
