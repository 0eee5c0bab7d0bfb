// One transaction around use cases that open their own: what they do and what their caller adds is committed together or not at all.
import type { OrgId } from '#core/ids.ts'
import { type Database, inOrganisation, type Sql } from './client.ts'
import { nestTransaction } from './transaction.ts'

/** Runs `work` in a transaction of one organisation and hands it a database whose transactions are savepoints of this one: one that fails is
 *  undone by itself, one that succeeds counts with the whole. How inner transactions begin, such as their isolation, has no effect. */
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
