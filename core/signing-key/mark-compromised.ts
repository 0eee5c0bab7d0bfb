// An operator marks a signing key as compromised.
import type { Core } from '#core/context.ts'
import { inTransaction } from '#core/platform/postgres/client.ts'
import { databaseNow } from '#core/platform/postgres/clock.ts'
import { markOwnCertificates } from './certificate-store.ts'
import { KeyRefusedError } from './key-error.ts'
import { setCompromised } from './key-store.ts'
import { lockOwnKey } from './lock-own-key.ts'

/** Seals that any version of the key has made from `since` on are not valid any more, and the key does not seal until it has a new version. Certificates of
 *  replaced versions that were marked from an earlier time on stay so. Throws KeyRefusedError, also for a time in the future. */
export async function markCompromised({ database }: Pick<Core, 'database'>, id: string, since: Date): Promise<void> {
  await inTransaction(database, async (sql) => {
    const key = await lockOwnKey(sql, { id })
    const now = await databaseNow(sql)
    if (since > now)
      throw new KeyRefusedError('FutureTime', `${since.toISOString()} is in the future: it is ${now.toISOString()} now.`)
    await setCompromised(sql, key.id, since)
    await markOwnCertificates(sql, key.id, since)
  })
}
