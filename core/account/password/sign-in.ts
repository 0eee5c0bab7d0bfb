// Signs in with email address and password, and with a code where the person has a second factor. An unknown address, a missing password and a wrong one get the same response after the same work.
import type { Core, ClientInfo } from '#core/context.ts'
import { hashPassword } from '#core/platform/crypto/password-hash.ts'
import { DomainError } from '#core/platform/errors/domain-error.ts'
import { newId, OrgId, PersonId } from '#core/ids.ts'
import { newToken } from '#core/platform/crypto/tokens.ts'
import type { PersonOwner } from '#core/account/person/person.ts'
import { useCode } from '#core/account/factor/use-code.ts'
import { type AccountRow, findAccount, findPersonOwner, setPasswordHash } from '#core/account/person/store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import type { CounterKey } from '#core/account/session/counter-store.ts'
import {
  admitAttempt,
  checkAttempt,
  checkPassword,
  countersOf,
  forgiveAttempt,
  takeBackAttempt,
  toDevice,
} from '#core/account/session/throttle-sign-in.ts'
import { logSessionRefused, logSessionStarted, type StartedSession, startSession } from '#core/account/session/start-session.ts'

export interface SignInInput {
  email: string
  password: string
  /** Code of the authenticator app, or a recovery code. */
  code?: string | undefined
  /** The device cookie of an earlier sign-in. */
  device: string | undefined
}

export interface SignedIn extends StartedSession {
  /** The device cookie for the browser. */
  device: string
}

/** The pair was right, and the person has a second factor. Nothing has begun: the request has to come again with a code. */
export const FACTOR_REQUIRED = 'factor required'

type SignInCore = Pick<Core, 'database' | 'keys' | 'settings' | 'log'>

/** The new session, or undefined for a wrong pair or code. Throws PASSWORD_SIGN_IN_OFF; RATE_LIMITED after too many failures, before any password is checked;
 *  SERVICE_UNAVAILABLE when too many people sign in at once. */
export async function signIn(
  core: SignInCore,
  { email, password, code, device }: SignInInput,
  origin: ClientInfo,
): Promise<SignedIn | typeof FACTOR_REQUIRED | undefined> {
  if (core.settings.oidcIssuer) throw new DomainError('PASSWORD_SIGN_IN_OFF')
  const owner = await findPersonOwner(core.database, email)
  const counters = countersOf(core.keys, { personId: owner?.personId, email, device, origin })
  await admit(core, counters, owner, origin)
  const account = await findRightAccount(core, counters, owner ?? { orgId: newId(OrgId), personId: newId(PersonId) }, password)
  if (account?.hasFactor && code === undefined) {
    // It does not reset the failures: otherwise a stolen password would allow to guess codes without a limit.
    await takeBackAttempt(core, counters)
    return FACTOR_REQUIRED
  }
  const started = account && (await checkAttempt(core, counters, () => start(core, account, { password, code, origin })))
  if (!started) {
    logSessionRefused(core, owner, { method: 'password', reason: reasonOf(owner, account), origin })
    return undefined
  }
  await forgiveAttempt(core, counters)
  logSessionStarted(core, started, 'password', origin)
  return { ...started, device: toDevice(core.keys, started.person.personId, newToken()) }
}

function reasonOf(owner: PersonOwner | undefined, account: RightAccount | undefined): string {
  if (account) return 'wrong code'
  return owner ? 'wrong password' : 'unknown address'
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

interface RightAccount extends AccountRow {
  orgId: OrgId
  /** The hash is to be replaced, see `verifyPassword`. */
  isOutdated: boolean
}

/** The account whose password this is. */
async function findRightAccount(
  core: SignInCore,
  counters: readonly CounterKey[],
  { orgId, personId }: PersonOwner,
  password: string,
): Promise<RightAccount | undefined> {
  const account = await inOrganisation(core.database, orgId, (sql) => findAccount(sql, orgId, personId))
  const { isRight, isOutdated } = await checkPassword(core, counters, { password, hash: account?.passwordHash ?? null })
  return account && isRight ? { ...account, orgId, isOutdated } : undefined
}

async function start(
  core: SignInCore,
  { orgId, isOutdated, ...account }: RightAccount,
  { password, code = '', origin }: Pick<SignInInput, 'password' | 'code'> & { origin: ClientInfo },
): Promise<StartedSession | undefined> {
  const { personId, email, hasFactor } = account
  const renewedHash = isOutdated ? await hashPassword(password) : undefined
  return inOrganisation(core.database, orgId, async (sql) => {
    if (hasFactor && !(await useCode(sql, core.keys, { orgId, personId, email, origin }, code))) return undefined
    const started = await startSession(sql, orgId, account, {
      method: 'password',
      origin,
      factorProof: hasFactor ? 'now' : undefined,
    })
    if (started && renewedHash) await setPasswordHash(sql, orgId, personId, renewedHash)
    return started
  })
}
