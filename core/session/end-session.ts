// Signing out: this browser, or every browser of the person.
import type { Core, PersonCaller } from '#core/context.ts'
import { hashToken } from '#core/ids.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { deleteSession, deleteSessionsOf } from './store.ts'

/** Ends the session behind `token`, or with `everywhere` all sessions of the caller. */
export async function endSession(
  core: Pick<Core, 'database' | 'log'>,
  { orgId, personId, origin }: PersonCaller,
  { token, everywhere }: { token: string; everywhere: boolean },
): Promise<void> {
  await inOrganisation(core.database, orgId, (sql) =>
    everywhere ? deleteSessionsOf(sql, orgId, personId) : deleteSession(sql, orgId, hashToken(token)),
  )
  core.log.info({ orgId, personId, everywhere, address: origin.address }, 'session.ended')
}
