// Publishes committed outbox rows, those of an envelope in their order. At least once: the mark is committed after publishing, so a crash in between
// publishes the rows again.
import type { Notifier } from './notifier.ts'
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { outboxPublished } from '#core/platform/metrics/metrics.ts'
import { lockPartitions, takeUnpublished } from './outbox-store.ts'

const BATCH = 500
/** Within a partition messages are published one by one, and the transaction has to stay short with a slow notifier. */
const PARTITION_BATCH = 64
/** Half of them, so that a second relay finds some. */
const PARTITIONS_AT_ONCE = 8

export interface Relayed {
  rows: number
  /** Whether there may be more: a partition was full, or all partitions were taken. */
  more: boolean
}

/** Publishes one batch. Relays side by side share the work. Needs a database of the system role. */
export async function relayOutbox(core: Pick<Core, 'database'>, notifier: Notifier): Promise<Relayed> {
  return inTransaction(core.database, async (sql) => {
    // Pipelined; they run in this order.
    const [partitions, rows] = await Promise.all([
      lockPartitions(sql, PARTITIONS_AT_ONCE),
      takeUnpublished(sql, { most: BATCH, ofPartition: PARTITION_BATCH }),
    ])
    if (rows.length > 0) await notifier.publish(rows)
    outboxPublished.inc(rows.length)
    return { rows: rows.length, more: rows.length >= PARTITION_BATCH || partitions === PARTITIONS_AT_ONCE }
  })
}

/** Calls `notify` after every commit that wrote to the outbox and after each reconnect, until disposed. */
export async function listenToOutbox(core: Pick<Core, 'database'>, notify: () => void): Promise<AsyncDisposable> {
  const listening = await core.database.listen('sealwright_outbox', notify, notify)
  return { [Symbol.asyncDispose]: () => listening.unlisten() }
}
