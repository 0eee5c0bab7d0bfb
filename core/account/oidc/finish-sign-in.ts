// The browser returns from the identity provider: signs in the person who is bound to the account there. Until an account
// is bound, the verified email address decides.
import type { Core, ClientInfo } from '#core/context.ts'
import type { OidcAccount, PersonOwner } from '#core/account/person/person.ts'
import { bindOidcAccount, findAccount, findOidcOwner, findPersonOwner } from '#core/account/person/store.ts'
import { inOrganisation } from '#core/platform/postgres/client.ts'
import { logSessionRefused, logSessionStarted, type StartedSession, startSession } from '#core/account/session/start-session.ts'
import { openFlow } from './flow.ts'
import { findProvider } from './provider.ts'
import { type IdentityError, readIdentity } from './read-identity.ts'

/** Why the sign-in failed, for the page. */
export type OidcError = 'SIGN_IN_EXPIRED' | 'SIGN_IN_FAILED' | 'PROVIDER_UNAVAILABLE' | 'EMAIL_NOT_VERIFIED' | 'PERSON_UNKNOWN'

export type Arrival = { kind: 'signed in'; started: StartedSession; returnTo: string } | { kind: 'refused'; refusal: OidcError }

const OIDC_ERRORS: Readonly<Record<IdentityError, OidcError>> = {
  UNAVAILABLE: 'PROVIDER_UNAVAILABLE',
  DENIED: 'SIGN_IN_FAILED',
  INVALID: 'SIGN_IN_FAILED',
}

/** `flow`: the state from the browser; `callbackUrl`: the URL of the return, query included. Signing in creates no person. Throws SERVICE_UNAVAILABLE
 *  when the provider's metadata have to be fetched again and it does not respond. */
export async function finishSignIn(
  core: Pick<Core, 'database' | 'keys' | 'settings' | 'log'>,
  { flow: kept, callbackUrl }: { flow: string | undefined; callbackUrl: URL },
  origin: ClientInfo,
): Promise<Arrival> {
  const flow = kept === undefined ? undefined : await openFlow(core, kept)
  if (!flow) return refuse(core, 'SIGN_IN_EXPIRED', { reason: 'no flow', origin })
  const identity = await readIdentity(await findProvider(core), callbackUrl, flow)
  if (identity.kind === 'error') return refuse(core, OIDC_ERRORS[identity.error], { reason: identity.reason, origin })
  const { account, email, isVerified } = identity
  const bound = await findOidcOwner(core.database, account)
  const owner = bound ?? (await findPersonOwner(core.database, email))
  if (!bound && !isVerified) return refuse(core, 'EMAIL_NOT_VERIFIED', { owner, reason: 'address not verified', origin })
  const started = owner && (await start(core, owner, account, origin))
  if (!started)
    return refuse(core, 'PERSON_UNKNOWN', { owner, reason: owner ? 'another account is bound' : 'unknown address', origin })
  logSessionStarted(core, started, 'oidc', origin)
  return { kind: 'signed in', started, returnTo: flow.returnTo }
}

async function start(
  core: Pick<Core, 'database'>,
  { orgId, personId }: PersonOwner,
  oidcAccount: OidcAccount,
  origin: ClientInfo,
): Promise<StartedSession | undefined> {
  return inOrganisation(core.database, orgId, async (sql) => {
    if (!(await bindOidcAccount(sql, orgId, personId, oidcAccount))) return undefined
    const account = await findAccount(sql, orgId, personId)
    return account && startSession(sql, orgId, account, { method: 'oidc', origin })
  })
}

function refuse(
  core: Pick<Core, 'log'>,
  refusal: OidcError,
  { owner, reason, origin }: { owner?: PersonOwner | undefined; reason: string; origin: ClientInfo },
): Arrival {
  logSessionRefused(core, owner, { method: 'oidc', reason, origin })
  return { kind: 'refused', refusal }
}
