// Ends sessions early: on sign-out here or everywhere, and on a new sign-in.
import type { Core, PersonCaller } from '#core/context.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { deleteSession, deleteSessionsOf, findSessionOwner } from './store.ts'

/** Ends the session of `token`, or with `everywhere` all sessions of the caller. */
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

/** Ends the browser's earlier session, if any, after a new sign-in. */
export async function endReplacedSession({ database }: Pick<Core, 'database'>, token: string): Promise<void> {
  const tokenHash = hashToken(token)
  const orgId = await findSessionOwner(database, tokenHash)
  if (orgId) await inOrganisation(database, orgId, (sql) => deleteSession(sql, orgId, tokenHash))
}
