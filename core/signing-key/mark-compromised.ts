// An operator marks a signing key as compromised.
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { markCertificates } from './certificate-store.ts'
import { setCompromised } from './key-store.ts'
import { lockOwnKey } from './lock-own-key.ts'

/** Seals that any version of the key has made from `since` on are not valid any more, and the key does not seal until it has a new version. Throws
 *  KeyRefusedError. */
export async function markCompromised({ database }: Pick<Core, 'database'>, id: string, since: Date): Promise<void> {
  await inTransaction(database, async (sql) => {
    const key = await lockOwnKey(sql, { id })
    await setCompromised(sql, key.id, since)
    await markCertificates(sql, key.id, since)
  })
}
