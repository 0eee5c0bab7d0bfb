// Finds the person of a session by the token in the browser's cookie, on every request of the panel.
import type { Core, PersonCaller } from '#core/context.ts'
import { hashToken } from '#core/platform/crypto/tokens.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { findSession, findSessionOwner, markSessionSeen, type SessionRow } from './store.ts'

export type SessionPerson = Omit<PersonCaller, 'kind' | 'origin'> & Omit<SessionRow, 'isStale'>

/** The person, or undefined for a token that is unknown, or whose session was idle too long, lasted too long, was ended, or has
 *  not proved the person's second factor. */
export async function resumeSession(
  core: Pick<Core, 'database' | 'settings'>,
  token: string,
): Promise<SessionPerson | undefined> {
  const tokenHash = hashToken(token)
  const withFactors = !core.settings.oidcIssuer
  const orgId = await findSessionOwner(core.database, tokenHash)
  if (!orgId) return undefined
  return inOrganisation(core.database, orgId, async (sql) => {
    const session = await findSession(sql, orgId, { tokenHash, withFactors })
    if (!session) return undefined
    const { isStale, ...person } = session
    // Not on every request: a page that sends ten requests at once would update the row ten times.
    if (isStale) await markSessionSeen(sql, orgId, tokenHash)
    return { orgId, ...person }
  })
}
