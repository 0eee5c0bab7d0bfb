// Moves committed outbox rows to the notifier, in their order for each envelope. At least once: rows are marked before they ring,
// but for others only by the commit after it, so that a crash in between rings again.
import type { Notifier } from './notifier.ts'
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { outboxPublished } from '#core/platform/metrics/metrics.ts'
import { lockLanes, takeUnpublished } from './outbox-store.ts'

const BATCH = 500
/** In a lane one message waits for the one before, and the transaction must not wait for long, however slow the notifier is. */
const LANE_BATCH = 64
/** Half of them, so that a relay beside this one finds some left. */
const LANES_AT_ONCE = 8

export interface Relayed {
  rows: number
  /** Whether there may be more by now: a lane may have been full, or all lanes taken. */
  more: boolean
}

/** Publishes one batch. Relays side by side share the work. Needs a database of the system role. */
export async function relayOutbox(core: Pick<Core, 'database'>, notifier: Notifier): Promise<Relayed> {
  return inTransaction(core.database, async (sql) => {
    // They travel together and run in this order.
    const [lanes, rows] = await Promise.all([
      lockLanes(sql, LANES_AT_ONCE),
      takeUnpublished(sql, { most: BATCH, ofLane: LANE_BATCH }),
    ])
    if (rows.length > 0) await notifier.publish(rows)
    outboxPublished.inc(rows.length)
    return { rows: rows.length, more: rows.length >= LANE_BATCH || lanes === LANES_AT_ONCE }
  })
}

/** Calls `ring` after every commit that wrote to the outbox, and after each reconnect, until disposed. */
export async function listenToOutbox(core: Pick<Core, 'database'>, ring: () => void): Promise<AsyncDisposable> {
  const listening = await core.database.listen('sealwright_outbox', ring, ring)
  return { [Symbol.asyncDispose]: () => listening.unlisten() }
}
