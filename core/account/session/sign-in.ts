// Signs in with email address and password. An unknown address, a missing password and a wrong one get the same response after the same work.
import type { Core, ClientInfo } from '#core/context.ts'
import { hashPassword } from '#core/platform/crypto/password-hash.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { newId, OrgId, PersonId } from '#core/ids.ts'
import { newToken } from '#core/platform/crypto/tokens.ts'
import type { PersonOwner } from '#core/account/person/person.ts'
import { findAccount, findPersonOwner, setPasswordHash } from '#core/account/person/store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import type { CounterKey } from './counter-store.ts'
import { admitAttempt, checkPassword, countersOf, forgiveAttempt, toDevice } from './throttle-sign-in.ts'
import { logSessionRefused, logSessionStarted, type StartedSession, startSession } from './start-session.ts'

export interface SignInInput {
  email: string
  password: string
  /** The device cookie of an earlier sign-in. */
  device: string | undefined
}

export interface SignedIn extends StartedSession {
  /** The device cookie for the browser. */
  device: string
}

type SignInCore = Pick<Core, 'database' | 'keys' | 'settings' | 'log'>

/** The new session, or undefined for a wrong pair. Throws PASSWORD_SIGN_IN_OFF; RATE_LIMITED after too many failures, before any password is checked;
 *  SERVICE_UNAVAILABLE when too many people sign in at once. */
export async function signIn(
  core: SignInCore,
  { email, password, device }: SignInInput,
  origin: ClientInfo,
): Promise<SignedIn | undefined> {
  if (core.settings.oidcIssuer) throw new DomainError('PASSWORD_SIGN_IN_OFF')
  const owner = await findPersonOwner(core.database, email)
  const counters = countersOf(core.keys, { personId: owner?.personId, email, device, origin })
  await admit(core, counters, owner, origin)
  const started = await tryPassword(core, counters, owner ?? { orgId: newId(OrgId), personId: newId(PersonId) }, {
    password,
    origin,
  })
  if (!started) {
    logSessionRefused(core, owner, { method: 'password', reason: owner ? 'wrong password' : 'unknown address', origin })
    return undefined
  }
  await forgiveAttempt(core, counters)
  logSessionStarted(core, started, 'password', origin)
  return { ...started, device: toDevice(core.keys, started.person.personId, newToken()) }
}

async function admit(
  core: SignInCore,
  counters: readonly CounterKey[],
  owner: PersonOwner | undefined,
  origin: ClientInfo,
): Promise<void> {
  try {
    await admitAttempt(core, counters)
  } catch (error) {
    if (error instanceof DomainError) logSessionRefused(core, owner, { method: 'password', reason: 'slowed down', origin })
    throw error
  }
}

async function tryPassword(
  core: SignInCore,
  counters: readonly CounterKey[],
  { orgId, personId }: PersonOwner,
  { password, origin }: { password: string; origin: ClientInfo },
): Promise<StartedSession | undefined> {
  const account = await inOrganisation(core.database, orgId, (sql) => findAccount(sql, orgId, personId))
  const { isRight, isOutdated } = await checkPassword(core, counters, { password, hash: account?.passwordHash ?? null })
  if (!account || !isRight) return undefined
  const renewedHash = isOutdated ? await hashPassword(password) : undefined
  return inOrganisation(core.database, orgId, async (sql) => {
    const started = await startSession(sql, orgId, account, { method: 'password', origin })
    if (started && renewedHash) await setPasswordHash(sql, orgId, personId, renewedHash)
    return started
  })
}
