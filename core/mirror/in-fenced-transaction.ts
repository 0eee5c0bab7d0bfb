// A transaction of the controller that leads.
import type { StorelessCore } from '#core/context.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { type Fence, FencedError } from './fence.ts'
import { lockTransitions } from './leader-store.ts'

/** Runs `work` only while the controller leads; another one begins to lead after its end. Throws FencedError, with nothing changed. */
export async function inFencedTransaction<Result>(
  { database }: Pick<StorelessCore, 'database'>,
  fence: Fence,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (sql) => {
    await assertLeads(sql, fence)
    return work(sql)
  })
}

/** The first statement of every transaction of a controller. Throws FencedError. */
export async function assertLeads(sql: Sql, fence: Fence): Promise<void> {
  const current = await lockTransitions(sql)
  if (current !== fence.transitions) throw new FencedError(fence, current)
}
