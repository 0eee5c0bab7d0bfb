// A sweep processes due rows in one transaction, which is cheap; when that fails it processes them one by one, so that a bad row does not block the
// others.
import type { Logger } from '#core/platform/log.ts'
import { type Database, inTransaction, type Sql } from '#core/platform/postgres/client.ts'
import { isUnavailable } from '#core/platform/postgres/postgres-error.ts'

interface Due {
  orgId: string
  id: string
}

export interface Sweep<Found extends Due, Result> {
  /** Finds and locks at most this many, without the passed-over ones. */
  lock(sql: Sql, most: number, passedOver: readonly string[]): Promise<Found[]>
  work(sql: Sql, found: readonly Found[]): Promise<Result>
}

interface SweepCore {
  database: Database
  log: Logger
}

/** Processes at most this many; returns the result of each transaction, none when nothing was due. A failure is logged, and its row is due again at
 *  the next run. Throws when the database is unavailable. */
export async function sweepDue<Found extends Due, Result>(
  core: SweepCore,
  most: number,
  sweep: Sweep<Found, Result>,
): Promise<Result[]> {
  try {
    return await inTransaction(core.database, async (sql) => {
      const found = await sweep.lock(sql, most, [])
      return found.length > 0 ? [await sweep.work(sql, found)] : []
    })
  } catch (error) {
    if (isUnavailable(error)) throw error
    return oneByOne(core, most, sweep)
  }
}

async function oneByOne<Found extends Due, Result>(
  core: SweepCore,
  most: number,
  sweep: Sweep<Found, Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const passedOver: string[] = []
  while (results.length + passedOver.length < most) {
    const taken: { due?: Found } = {}
    try {
      const worked = await inTransaction(core.database, async (sql) => {
        const [due] = await sweep.lock(sql, 1, passedOver)
        if (!due) return []
        taken.due = due
        return [await sweep.work(sql, [due])]
      })
      if (worked.length === 0) break
      results.push(...worked)
    } catch (err) {
      if (!taken.due || isUnavailable(err)) throw err
      const { orgId, id } = taken.due
      core.log.error({ err, orgId, id }, 'sweep.row_failed')
      passedOver.push(id)
    }
  }
  return results
}
