// Signing in with e-mail address and password. Unknown address, no password yet and wrong password are one answer after the same work.
import type { Core, Origin } from '#core/context.ts'
import { hashPassword, verifyPassword } from '#core/crypto/password-hash.ts'
import { newId, OrgId, PersonId } from '#core/ids.ts'
import { findAccount, findPersonOwner, setPasswordHash } from '#core/person/store.ts'
import { inOrganisation } from '#core/postgres/client.ts'
import { logSessionStarted, type StartedSession, startSession } from './start-session.ts'

export interface SignInInput {
  email: string
  password: string
}

/** The new session, or undefined for a wrong pair. Throws SERVICE_UNAVAILABLE when too many sign in at once. */
export async function signIn(
  core: Pick<Core, 'database' | 'log'>,
  { email, password }: SignInInput,
  origin: Origin,
): Promise<StartedSession | undefined> {
  const owner = await findPersonOwner(core.database, email)
  const { orgId, personId } = owner ?? { orgId: newId(OrgId), personId: newId(PersonId) }
  const account = await inOrganisation(core.database, orgId, (sql) => findAccount(sql, orgId, personId))
  const { isRight, isOutdated } = await verifyPassword(password, account?.passwordHash ?? null)
  if (!account || !isRight) {
    core.log.info({ ...(account && { orgId, personId }), method: 'password', address: origin.address }, 'session.refused')
    return undefined
  }
  const renewedHash = isOutdated ? await hashPassword(password) : undefined
  const started = await inOrganisation(core.database, orgId, async (sql) => {
    if (renewedHash) await setPasswordHash(sql, orgId, personId, renewedHash)
    return startSession(sql, orgId, account)
  })
  logSessionStarted(core, started, 'password', origin)
  return started
}
