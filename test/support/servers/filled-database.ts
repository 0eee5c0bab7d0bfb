// A database that has been at work for long, to see by which plans a statement of the workers and the clock finds its rows there.
import type { OrgId } from '#core/ids.ts'
import { type Database, openDatabase, type Sql } from '#core/platform/postgres/client.ts'
import { type FillOptions, fillDatabase } from '../../bench/fill-database.ts'
import { genericPlan } from '../judges/generic-plan.ts'
import { testDatabase } from './test-database.ts'

export interface FilledDatabase extends AsyncDisposable {
  /** `explain (analyze, buffers)` of the generic plan of a statement of the system role. */
  planOf: (statement: (sql: Sql) => PromiseLike<unknown>) => Promise<string>
}

/** Filled as for the benchmarks, and then by `add` as its owner, without foreign keys and triggers; what that changes it analyses itself. */
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
