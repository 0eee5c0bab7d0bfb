// Records accepted deliveries in batches: one statement and one commit for many.
import type { DeliveryId } from '#core/ids.ts'
import { changeWithFreshPlan, type Database } from '#core/platform/postgres/client.ts'
import type { RecordDelivered } from './delivery-job.ts'
import { type Delivered, recordDelivered, recordManyDelivered } from './settle-store.ts'

const MOST = 64
/** How long the first of a batch waits for others. */
const WITHIN_MS = 10

interface Waiting extends Delivered {
  resolve: (isFirst: Promise<boolean>) => void
}

/** Each call resolves as `recordDelivered` does, when its batch is committed. */
export function recordInBatches(database: Database): RecordDelivered {
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    const batch = waiting
    waiting = []
    const recorded = recordMany(database, batch)
    for (const { lease, attempt, resolve } of batch)
      resolve(recorded.then((ids) => ids.has(lease.id) || recordDelivered(database, lease, attempt)))
  }
  return (lease, attempt) => {
    // Two attempts of one delivery are two records.
    if (waiting.some((each) => each.lease.id === lease.id)) flush()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    waiting.push({ lease, attempt, resolve })
    if (waiting.length === 1) timer = setTimeout(flush, WITHIN_MS)
    if (waiting.length === MOST) flush()
    return promise
  }
}

async function recordMany(database: Database, batch: readonly Delivered[]): Promise<Set<DeliveryId>> {
  const rows = await changeWithFreshPlan(database, (sql) => recordManyDelivered(sql, batch))
  return new Set(rows.map(({ id }) => id))
}
