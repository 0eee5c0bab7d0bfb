// Re-encrypts every stored value and re-signs every audit head with the current installation key, in batches. Safe to interrupt and rerun: both keys stay
// readable.
import { type Database, inSnapshot, inTransaction } from '#core/platform/postgres/client.ts'
import type { KeyPair, RenewedColumn } from './renewed-column.ts'
import { RENEWED_COLUMNS } from './renewed-columns.ts'
import { type KeyedValue, replaceValue, scanColumn } from './store.ts'

export interface Renewed {
  /** Values that this run replaced. */
  renewed: number
  /** Values made with neither key: left as they are. */
  unreadable: { table: string; count: number }[]
}

/** Goes through all columns once. `afterBatch` is called after each transaction. Needs the owner's rights. */
export async function renewValues(
  core: { database: Database },
  pair: KeyPair,
  afterBatch: (renewed: number) => void = () => {},
): Promise<Renewed> {
  const total: Renewed = { renewed: 0, unreadable: [] }
  for (const column of RENEWED_COLUMNS) {
    let unreadable = 0
    await inSnapshot(core.database, async (sql) => {
      for await (const batch of scanColumn(sql, column)) {
        const { changes, failed } = renewBatch(column, pair, batch)
        unreadable += failed
        if (changes.length === 0) continue
        await inTransaction(core.database, (own) =>
          Promise.all(changes.map(({ row, next }) => replaceValue(own, column, row, next))),
        )
        total.renewed += changes.length
        afterBatch(total.renewed)
      }
    })
    if (unreadable > 0) total.unreadable.push({ table: column.table, count: unreadable })
  }
  return total
}

function renewBatch(
  { renew }: RenewedColumn,
  pair: KeyPair,
  batch: readonly KeyedValue[],
): { changes: { row: KeyedValue; next: Buffer }[]; failed: number } {
  const changes = []
  let failed = 0
  for (const row of batch) {
    try {
      const next = renew(pair, row.ids, row.value)
      if (next) changes.push({ row, next })
    } catch {
      // Counted, and named to the operator: one altered secret must not keep the others under the old key.
      failed++
    }
  }
  return { changes, failed }
}
