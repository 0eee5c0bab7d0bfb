// Starts a session for an authenticated person. Its token is always new: one that the browser sent is never reused.
import { recordAdminEvent } from '#core/account/activity/record-admin-event.ts'
import type { Core, ClientInfo } from '#core/context.ts'
import type { OrgId } from '#core/ids.ts'
import { hashToken, newToken } from '#core/platform/crypto/tokens.ts'
import type { PersonOwner } from '#core/account/person/person.ts'
import { type AccountRow, markSignedIn } from '#core/account/person/store.ts'
import type { Sql } from '#core/platform/postgres/client.ts'
import { insertSession, type NewSession } from './store.ts'

export interface StartedSession {
  /** Only for the cookie; the database has its hash. */
  token: string
  person: Pick<AccountRow, 'personId' | 'email' | 'name' | 'role' | 'organisationName' | 'lacksFactor'> & { orgId: OrgId }
}

/** Within the caller's transaction, which has checked the second factor as `factorProof` says. Undefined when the person was removed or changed the password since `account` was read. */
export async function startSession(
  sql: Sql,
  orgId: OrgId,
  account: AccountRow,
  { method, origin, factorProof }: { method: SignInMethod; origin: ClientInfo; factorProof?: NewSession['factorProof'] },
): Promise<StartedSession | undefined> {
  const { personId, email, name, role, organisationName, lacksFactor } = account
  if (!(await markSignedIn(sql, orgId, account))) return undefined
  const token = newToken()
  await insertSession(sql, orgId, { personId, tokenHash: hashToken(token), factorProof })
  await recordAdminEvent(sql, { orgId, personId, email, origin }, { action: 'session.started', detail: { method } })
  return { token, person: { orgId, personId, email, name, role, organisationName, lacksFactor } }
}

export type SignInMethod = 'password' | 'oidc'

/** Writes the security log line of a sign-in. */
export function logSessionStarted(
  { log }: Pick<Core, 'log'>,
  { person: { orgId, personId } }: StartedSession,
  method: SignInMethod,
  { address }: ClientInfo,
): void {
  log.info({ orgId, personId, method, address }, 'session.started')
}

/** Logs a failed sign-in; `person` when the attempt named one. */
export function logSessionRefused(
  { log }: Pick<Core, 'log'>,
  person: PersonOwner | undefined,
  { method, reason, origin: { address } }: { method: SignInMethod; reason: string; origin: ClientInfo },
): void {
  log.warn({ ...person, method, reason, address }, 'session.refused')
}
