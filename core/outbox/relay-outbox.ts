// Moves committed outbox rows to the bell, oldest first. At least once: a crash between ringing and marking rings again.
import type { Bell } from '#core/bell/bell.ts'
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/postgres/client.ts'
import { lockUnpublished, markPublished } from './store.ts'

const BATCH = 200

/** Publishes one batch and answers how many rows there were. Relays side by side share the work. Needs a database of the system role. */
export async function relayOutbox(core: Pick<Core, 'database'>, bell: Bell): Promise<number> {
  return inTransaction(core.database, async (sql) => {
    const rows = await lockUnpublished(sql, BATCH)
    for (const { id, subject, body } of rows) await bell.publish(subject, id, body)
    if (rows.length > 0) {
      const ids = rows.map(({ id }) => id)
      await markPublished(sql, ids)
    }
    return rows.length
  })
}

/** Calls `ring` after every commit that wrote to the outbox, and after each reconnect, until disposed. */
export async function listenToOutbox(core: Pick<Core, 'database'>, ring: () => void): Promise<AsyncDisposable> {
  const listening = await core.database.listen('sealwright_outbox', ring, ring)
  return { [Symbol.asyncDispose]: () => listening.unlisten() }
}
