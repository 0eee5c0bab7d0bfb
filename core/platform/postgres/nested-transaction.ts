// One transaction around use cases that open their own: their work and the caller's are committed together or not at all.
import type { OrgId } from '#core/ids.ts'
import { type Database, inOrganisation, type Sql } from './client.ts'
import { nestTransaction } from './transaction.ts'

/** Runs `work` in a transaction of one organisation and passes it a database whose transactions are savepoints of this one: one that fails is rolled
 *  back alone, one that succeeds commits with the outer one. Options of inner transactions, such as isolation, have no effect. */
export async function inNestedTransaction<T>(
  database: Database,
  orgId: OrgId,
  work: (sql: Sql, joined: Database) => Promise<T>,
): Promise<T> {
  return inOrganisation(database, orgId, async (sql) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- use cases query and open transactions; what else a pool can do, a transaction refuses
    const joined = new Proxy(sql, {}) as unknown as Database
    nestTransaction(joined, sql)
    return work(sql, joined)
  })
}
