// Moves committed outbox rows to the bell, in their order for each envelope. At least once: a crash between ringing and marking rings again.
import type { Bell } from '#core/bell/bell.ts'
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { outboxPublished } from '#core/metrics/metrics.ts'
import { lockLanes, lockUnpublished, markPublished } from './store.ts'

const BATCH = 500
/** A quarter of them, so that relays side by side find some left. */
const LANES_AT_ONCE = 4

export interface Relayed {
  rows: number
  /** Whether there may be more by now: the batch or its lanes were full. */
  more: boolean
}

/** Publishes one batch. Relays side by side share the work. Needs a database of the system role. */
export async function relayOutbox(core: Pick<Core, 'database'>, bell: Bell): Promise<Relayed> {
  return inTransaction(core.database, async (sql) => {
    const lanes = await lockLanes(sql, LANES_AT_ONCE)
    if (lanes.length === 0) return { rows: 0, more: false }
    const rows = await lockUnpublished(sql, lanes, BATCH)
    await bell.publish(rows)
    const ids = rows.map(({ id }) => id)
    await markPublished(sql, ids)
    outboxPublished.inc(ids.length)
    return { rows: rows.length, more: rows.length === BATCH || lanes.length === LANES_AT_ONCE }
  })
}

/** Calls `ring` after every commit that wrote to the outbox, and after each reconnect, until disposed. */
export async function listenToOutbox(core: Pick<Core, 'database'>, ring: () => void): Promise<AsyncDisposable> {
  const listening = await core.database.listen('sealwright_outbox', ring, ring)
  return { [Symbol.asyncDispose]: () => listening.unlisten() }
}
